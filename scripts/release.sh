#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes what a release consists of in build/release: the archive of the sources at HEAD, its bill of materials, and the hashes of
# both; and writes the archive's address and hashes into the recipes of packaging/. Argument: the address of the folder that the
# archive will be in. The archive has the same bytes wherever and whenever it is made.
set -euo pipefail
cd "$(dirname "$0")/.."
address=${1%/}
version=$(< VERSION)
folder=build/release
archive=tesela-$version.tar.gz

fail() { echo "release: $1" >&2; exit 1; }
case $address in https://*) ;; *) fail "the address is '$address'; expected https://..." ;; esac
[ -z "$(git status --porcelain --untracked-files=no)" ] || fail "files have changes that are not committed"
grep -q "^## $version (2" CHANGELOG.md || fail "CHANGELOG.md has no line '## $version (DATE)'"
scripts/check_version.sh

mkdir -p "$folder"
git archive --format tar --prefix "tesela-$version/" HEAD | gzip --no-name --best > "$folder/$archive"
scripts/sbom.py build > "$folder/tesela-$version.cdx.json"
(cd "$folder" && sha256sum "$archive" "tesela-$version.cdx.json" > "tesela-$version.sha256")

sha256=$(sha256sum "$folder/$archive" | cut -d ' ' -f 1)
sha512=$(sha512sum "$folder/$archive" | cut -d ' ' -f 1)
sed -i -E "s#(url: ).*#\1$address/tesela-\${{ version }}.tar.gz#; s#(sha256: )[0-9a-f]+.*#\1$sha256#; s#(version: )\"[0-9.]+\"#\1\"$version\"#" \
  packaging/conda-forge/recipe.yaml
sed -i -E "s#(url: ).*#\1$address/$archive#; s#(sha256: )[0-9a-f]+.*#\1$sha256#; s#^  \"[0-9.]+\":#  \"$version\":#" packaging/conan/conandata.yml
sed -i -E "s#(URLS ).*#\1\"$address/tesela-\${VERSION}.tar.gz\"#; s#(SHA512 ).*#\1$sha512#" packaging/vcpkg/portfile.cmake
ls -l "$folder"
