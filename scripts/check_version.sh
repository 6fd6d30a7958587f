#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every file that states the version of Tesela states that of the file VERSION.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(< VERSION)
interface=${version%%.*}
[ "$interface" != 0 ] || interface=${version%.*}  # before 1.0, 0.MINOR
failed=0

# $1: a file; $2: a line of it, as an extended regular expression
states() {
  grep -qE "$2" "$1" || { echo "$1: no line like $2, as VERSION is $version" >&2; failed=1; }
}
literal=${version//./\\.}
states include/tesela/tesela.h "^#define TESELA_VERSION +\"$literal\"$"
states cmake/tesela.map "^TESELA_${interface//./\\.} \{$"
states CITATION.cff "^version: \"?$literal\"?$"
states CHANGELOG.md "^## $literal \("
states packaging/conda-forge/recipe.yaml "^  version: \"$literal\"$"
states packaging/vcpkg/vcpkg.json "^  \"version\": \"$literal\",$"
states packaging/conan/conanfile.py "^    version = \"$literal\"$"
states packaging/conan/conandata.yml "^  \"$literal\":$"
states packaging/debian/changelog "^tesela \($literal-[0-9]+\) "
states packaging/debian/control "^Package: libtesela${interface//./\\.}$"
states "packaging/debian/libtesela$interface.symbols" "^libtesela\.so\.${interface//./\\.} libtesela${interface//./\\.} "
exit $failed
