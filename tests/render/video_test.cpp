#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sinew/render/video.hpp>

#include "scratch_folder.hpp"

namespace sinew::render {
namespace {

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

// One line of ffprobe's about the only stream.
std::string probe(const std::filesystem::path& file, const std::string& entries) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=" + entries +
      " -of csv=p=0 '" + file.string() + "' 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  char line[512] = {};
  const char* got = std::fgets(line, sizeof line, pipe);
  pclose(pipe);
  std::string text = got != nullptr ? got : "";
  while (!text.empty() && (text.back() == '\n' || text.back() == ',')) text.pop_back();
  return text;
}

Image frame_of(int width, int height, int i) {
  Image image = make_image(width, height, rgb(0xdde1e6));
  fill_rect(image, 4 * i, height / 3, 12, 12, rgb(0xcc3322));
  return image;
}

class Video : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("ffmpeg") || !has_program("ffprobe")) GTEST_SKIP() << "SKIPPED: no ffmpeg";
  }
  static VideoSettings settings(int width, int height) {
    VideoSettings s;
    s.width = width;
    s.height = height;
    return s;
  }
  ScratchFolder folder_;
};

TEST_F(Video, Mp4HasEveryFrameAndAnEvenSize) {
  const auto file = folder_.path() / "walk.mp4";
  auto writer = VideoWriter::open(file, settings(97, 65));
  ASSERT_TRUE(writer.ok()) << to_string(writer.error());
  for (int i = 0; i < 14; ++i) ASSERT_TRUE((*writer)->add(frame_of(97, 65, i)).ok());
  EXPECT_FALSE(std::filesystem::exists(file)) << "a partial file must not be seen";
  const Status finished = (*writer)->finish();
  ASSERT_TRUE(finished.ok()) << to_string(finished.error());
  EXPECT_EQ((*writer)->frame_count(), 14);
  EXPECT_EQ(probe(file, "codec_name,width,height,pix_fmt,nb_read_frames"), "h264,96,64,yuv420p,14");
  EXPECT_EQ(probe(file, "r_frame_rate"), "30/1");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"walk.mp4"});
  EXPECT_FALSE((*writer)->add(frame_of(97, 65, 0)).ok()) << "it is closed";

  // The index lies in front of the data.
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

TEST_F(Video, GifIsScaledAndHasItsRate) {
  const auto file = folder_.path() / "walk.gif";
  VideoSettings s = settings(200, 100);
  s.fps = 50;
  s.gif_fps = 25;
  s.gif_width = 100;
  auto writer = VideoWriter::open(file, s);
  ASSERT_TRUE(writer.ok()) << to_string(writer.error());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE((*writer)->add(frame_of(200, 100, i)).ok());
  const Status finished = (*writer)->finish();
  ASSERT_TRUE(finished.ok()) << to_string(finished.error());
  EXPECT_EQ(probe(file, "codec_name,width,height,nb_read_frames"), "gif,100,50,10");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"walk.gif"});
}

TEST_F(Video, NothingIsLeftWhenItIsNotFinished) {
  {
    auto writer = VideoWriter::open(folder_.path() / "a.mp4", settings(64, 64));
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->add(frame_of(64, 64, 0)).ok());
  }
  {
    auto writer = VideoWriter::open(folder_.path() / "b.gif", settings(64, 64));
    ASSERT_TRUE(writer.ok());
    EXPECT_FALSE((*writer)->finish().ok()) << "no frame";
  }
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(Video, NothingIsLeftWhenTheProcessIsKilled) {
  const pid_t pid = fork();
  if (pid == 0) {
    auto writer = VideoWriter::open(folder_.path() / "a.mp4", settings(64, 64));
    if (writer.ok() && (*writer)->add(frame_of(64, 64, 0)).ok()) kill(getpid(), SIGKILL);
    _exit(1);
  }
  int state = 0;
  ASSERT_EQ(waitpid(pid, &state, 0), pid);
  ASSERT_TRUE(WIFSIGNALED(state));
  // Where the file system has no nameless files, a hidden one stays behind; never the target.
  for (const std::string& name : folder_.names()) EXPECT_EQ(name.front(), '.');
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "a.mp4"));
}

TEST_F(Video, FramesOfAnotherSizeAreRefused) {
  auto writer = VideoWriter::open(folder_.path() / "a.mp4", settings(64, 64));
  ASSERT_TRUE(writer.ok());
  const Status added = (*writer)->add(frame_of(64, 32, 0));
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, ErrorCode::kMismatch);
}

TEST(VideoErrors, NameThePackageWhenFfmpegIsMissing) {
  ScratchFolder folder;
  VideoSettings s;
  s.width = s.height = 64;
  s.ffmpeg = "no-such-ffmpeg";
  for (const char* name : {"a.mp4", "a.gif"}) {
    const auto writer = VideoWriter::open(folder.path() / name, s);
    ASSERT_FALSE(writer.ok());
    EXPECT_EQ(writer.error().code, ErrorCode::kNotFound);
    EXPECT_NE(writer.error().message.find("install the package 'ffmpeg'"), std::string::npos);
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(VideoErrors, AProgramThatFailsIsReported) {
  ScratchFolder folder;
  VideoSettings s;
  s.width = s.height = 256;
  s.ffmpeg = "false";
  auto writer = VideoWriter::open(folder.path() / "a.mp4", s);
  ASSERT_TRUE(writer.ok()) << "it starts, but ends at once";
  Status status;
  for (int i = 0; i < 50 && status.ok(); ++i) status = (*writer)->add(frame_of(256, 256, i));
  if (status.ok()) status = (*writer)->finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("failed with code 1"), std::string::npos)
      << to_string(status.error());
  EXPECT_TRUE(folder.names().empty());
}

TEST(VideoErrors, BadSettingsAndPlaces) {
  ScratchFolder folder;
  VideoSettings good;
  good.width = good.height = 64;
  const auto fails = [&](const char* name, VideoSettings s) {
    return !VideoWriter::open(folder.path() / name, s).ok();
  };
  ASSERT_TRUE(write_png(make_image(4, 4, rgb(0)), folder.path() / "none").ok());
  EXPECT_TRUE(fails("none/a.mp4", good));
  EXPECT_TRUE(fails("a.avi", good));
  VideoSettings s = good;
  s.width = 1;
  EXPECT_TRUE(fails("a.mp4", s));
  s = good;
  s.fps = 0;
  EXPECT_TRUE(fails("a.mp4", s));
  s = good;
  s.quality = 99;
  EXPECT_TRUE(fails("a.mp4", s));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"none"});
}

}  // namespace
}  // namespace sinew::render
