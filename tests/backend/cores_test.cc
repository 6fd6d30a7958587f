// SPDX-License-Identifier: Apache-2.0
// Cores by the CPU quotas of control groups, whose files are made here.
#include "backend/cores.h"

#include <gtest/gtest.h>

#include "files/temporary_folder.h"

namespace tesela {
namespace {

constexpr const char* kV2 = "30 23 0:27 / /cg rw,relatime shared:4 - cgroup2 cgroup2 rw\n";
constexpr const char* kV1 =
    "22 21 0:20 / /proc rw - proc proc rw\n"
    "33 31 0:31 / /cg/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
    "34 31 0:32 / /cg/cpu rw,relatime - cgroup cgroup rw,cpuacct,cpu\n";

struct Case {
  const char* what;
  const char* mounts;
  const char* groups;
  std::vector<std::pair<const char*, const char*>> files;
  int cores;
};

const Case kCases[] = {
    {"nothing mounted", "", "", {}, 0},
    {"no quota", kV2, "0::/a\n", {{"cg/a/cpu.max", "max 100000\n"}}, 0},
    {"whole cores", kV2, "0::/a\n", {{"cg/a/cpu.max", "300000 100000\n"}}, 3},
    {"parts of a core are rounded up", kV2, "0::/a\n", {{"cg/a/cpu.max", "150000 100000\n"}}, 2},
    {"less than a core", kV2, "0::/a\n", {{"cg/a/cpu.max", "1000 100000\n"}}, 1},
    {"a lower quota above",
     kV2,
     "0::/a/b/c\n",
     {{"cg/a/cpu.max", "200000 100000"}, {"cg/a/b/c/cpu.max", "700000 100000"}},
     2},
    {"a higher quota above", kV2, "0::/a/b\n", {{"cg/a/cpu.max", "9 1"}, {"cg/a/b/cpu.max", "4 1"}}, 4},
    {"the mounted group itself", kV2, "0::/\n", {{"cg/cpu.max", "5 1"}}, 5},
    {"another group's quota", kV2, "0::/a\n", {{"cg/b/cpu.max", "1 1"}}, 0},
    {"version 1",
     kV1,
     "3:cpuset:/x\n2:cpu,cpuacct:/a\n",
     {{"cg/cpu/a/cpu.cfs_quota_us", "600000\n"}, {"cg/cpu/a/cpu.cfs_period_us", "100000\n"}},
     6},
    {"version 1 without a quota",
     kV1,
     "2:cpu,cpuacct:/a\n",
     {{"cg/cpu/a/cpu.cfs_quota_us", "-1\n"}, {"cg/cpu/a/cpu.cfs_period_us", "100000\n"}},
     0},
    {"only cpuset is limited", kV1, "3:cpuset:/x\n", {{"cg/cpuset/x/cpu.cfs_quota_us", "1"}}, 0},
    {"a container sees its group at the mount point",
     "34 31 0:32 /docker/f00 /cg/cpu ro - cgroup cgroup rw,cpu\n",
     "1:cpu:/docker/f00\n",
     {{"cg/cpu/cpu.cfs_quota_us", "200000"}, {"cg/cpu/cpu.cfs_period_us", "100000"}},
     2},
    {"a group outside the namespace", kV2, "0::/../../x\n", {{"cg/cpu.max", "2 1"}}, 2},
    {"both versions",
     "34 31 0:32 / /cg/cpu ro - cgroup cgroup rw,cpu\n35 31 0:33 / /cg/two ro - cgroup2 cgroup2 rw\n",
     "1:cpu:/a\n0::/a\n",
     {{"cg/cpu/a/cpu.cfs_quota_us", "4"}, {"cg/cpu/a/cpu.cfs_period_us", "1"}, {"cg/two/a/cpu.max", "3 1"}},
     3},
    {"a file of something else", kV2, "0::/a\nno colon\n1:one\n", {{"cg/a/cpu.max", "\n"}}, 0},
    {"a quota of zero", kV2, "0::/a\n", {{"cg/a/cpu.max", "0 100000"}}, 0},
    {"a huge quota", kV2, "0::/a\n", {{"cg/a/cpu.max", "1e300 1"}}, 1 << 20},
};

TEST(Cores, VariableIsANumberOfThreads) {
  for (const auto& [text, threads] : std::initializer_list<std::pair<const char*, int>>{
           {"1", 1}, {"12", 12}, {"1024", 1024}, {"1025", 0}, {"0", 0}, {"-3", 0}, {"3x", 0}, {" 3", 0}, {"", 0}}) {
    ASSERT_EQ(setenv("TESELA_NUM_THREADS", text, 1), 0);
    EXPECT_EQ(threads_of_variable(), threads) << text;
  }
  ASSERT_EQ(unsetenv("TESELA_NUM_THREADS"), 0);
  EXPECT_EQ(threads_of_variable(), 0);
}

TEST(Cores, FollowTheQuota) {
  for (const Case& c : kCases) {
    const testing::TemporaryFolder root;
    root.write("proc/self/mountinfo", c.mounts);
    root.write("proc/self/cgroup", c.groups);
    for (const auto& [name, text] : c.files) root.write(name, text);
    EXPECT_EQ(cores_of_quota(root.path()), c.cores) << c.what;
  }
}

TEST(Cores, WithoutTheFilesThereIsNoQuota) {
  const testing::TemporaryFolder root;
  EXPECT_EQ(cores_of_quota(root.path()), 0);
}

TEST(Cores, AtLeastOneIsAvailable) {
  EXPECT_GE(available_cores(), 1);
}

}  // namespace
}  // namespace tesela
