// FBX files read in a process of its own: the same model, and every end of that process an error.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <sinew/import/fbx.hpp>
#include <sinew/import/import.hpp>

#include "../../src/import/model_bytes.hpp"
#include "mocap_testing.hpp"
#include "temp_folder.hpp"
#include "worker_testing.hpp"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::data_path;
using testing::TempFolder;

const FbxWorker kWorker = {SINEW_IMPORT_WORKER_PATH, 0, 0};
const std::string kSmall = SINEW_SOURCE_DIR "/tests/fuzz/corpus/fbx/ascii_7400";

TEST(FbxIsolated, GivesTheSameModelBitForBit) {
  SINEW_SKIP_WITHOUT_WORKER();
  for (const bool skip : {false, true}) {
    FbxOptions options;
    options.sample_rate = 48;
    options.metres_per_unit = 0.0254;
    options.skip_meshes = skip;
    const Result<Model> here = load_fbx(kSmall, options);
    const Result<Model> there = load_fbx_isolated(kSmall, options, kWorker);
    ASSERT_TRUE(here.ok()) << to_string(here.error());
    ASSERT_TRUE(there.ok()) << to_string(there.error());
    EXPECT_EQ(there->skeleton.hash(), here->skeleton.hash());
    EXPECT_TRUE(encode_model(*here) == encode_model(*there));
  }
}

TEST(FbxIsolated, GivesTheSameErrors) {
  SINEW_SKIP_WITHOUT_WORKER();
  TempFolder folder;
  folder.write("bad.fbx", "; FBX 7.4.0 project file\nObjects: {\n");
  const std::string bad = (folder / "bad.fbx").string();
  for (const std::string& path : {bad, (folder / "none.fbx").string(), folder.path().string()}) {
    const Result<Model> here = load_fbx(path), there = load_fbx_isolated(path, {}, kWorker);
    ASSERT_FALSE(here.ok() || there.ok()) << path;
    EXPECT_EQ(to_string(there.error()), to_string(here.error()));
    EXPECT_EQ(there.error().code, here.error().code);
  }
  FbxOptions options;
  options.sample_rate = -1;
  EXPECT_EQ(load_fbx_isolated(kSmall, options, kWorker).error().code, ErrorCode::kInvalidArgument);
}

TEST(FbxIsolated, CrashHangAndGreedAreErrorsOfTheFile) {
  TempFolder folder;
  const auto code_with = [&](const std::string& script, FbxWorker worker) {
    folder.write("worker.sh", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder / "worker.sh", fs::perms::owner_all);
    worker.program = (folder / "worker.sh").string();
    const Result<Model> model = load_fbx_isolated(kSmall, {}, worker);
    EXPECT_FALSE(model.ok()) << script;
    if (model.ok()) return std::string();
    EXPECT_NE(to_string(model.error()).find("ascii_7400"), std::string::npos);
    return std::string(to_string(model.error().code));
  };
  EXPECT_EQ(code_with("kill -SEGV $$", {}), "malformed");
  EXPECT_EQ(code_with("kill -XCPU $$", {}), "limit");
  EXPECT_EQ(code_with("exec sleep 100", {"", 0.2, 0}), "limit");
  EXPECT_EQ(code_with("echo nonsense", {}), "internal");
  EXPECT_EQ(load_fbx_isolated(kSmall, {}, {"no/such/program", 0, 0}).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(load_fbx_isolated(kSmall, {}, {"", -1, 0}).error().code, ErrorCode::kInvalidArgument);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(FbxIsolated, MemoryIsLimited) {
  SINEW_SKIP_WITHOUT_WORKER();
  TempFolder folder;
  // 64 MB of blanks do not fit into 48 MB.
  folder.write("large.fbx", "; FBX 7.4.0 project file\n" + std::string(64u << 20, ' '));
  const Result<Model> model = load_fbx_isolated((folder / "large.fbx").string(), {},
                                                {SINEW_IMPORT_WORKER_PATH, 0, 48u << 20});
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::kLimit) << to_string(model.error());
}
#endif

TEST(DataFbxIsolated, EveryFileIsTheSameBitForBit) {
  SINEW_SKIP_WITHOUT_DATA();
  SINEW_SKIP_WITHOUT_WORKER();
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(data_path("fbx"))) {
    if (entry.path().extension() != ".fbx") continue;
    SCOPED_TRACE(entry.path().string());
    const Result<Model> here = load_fbx(entry.path().string());
    const Result<Model> there = load_fbx_isolated(entry.path().string(), {}, kWorker);
    ASSERT_TRUE(here.ok() && there.ok());
    EXPECT_TRUE(encode_model(*here) == encode_model(*there));
    ++count;
  }
  EXPECT_GE(count, 22);
}

}  // namespace
}  // namespace sinew
