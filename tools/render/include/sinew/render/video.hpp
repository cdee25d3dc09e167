// Video files, made by the program ffmpeg as a child process.
#pragma once

#include <filesystem>
#include <memory>

#include <sinew/render/image.hpp>

namespace sinew::render {

struct VideoSettings {
  int width = 0, height = 0;  // of every frame, pixels; at least 2 x 2
  double fps = 30;            // (0, 240]
  enum class Format { kByExtension, kMp4, kGif } format = Format::kByExtension;
  int quality = 18;     // MP4: constant rate factor of x264, 0 (lossless) to 51
  int gif_width = 640;  // GIF: scaled down to at most this width
  double gif_fps = 25;  // GIF: at most this rate (players know hundredths of a second only)
  // The program, looked up in PATH unless it contains a slash.
  std::string ffmpeg = "ffmpeg";
};

// Takes frame after frame and writes one file, which appears under its name only when finish() has
// succeeded; before, and after any failure, nothing is left behind (the data goes to a file without
// a name where the file system can do that, else to a hidden one beside that is removed).
// MP4: H.264, 4:2:0, BT.709, index in front; odd sizes lose their last column or row.
// GIF: one palette for all frames, made of them.
class VideoWriter {
 public:
  // Errors: a size or rate out of range, an extension other than .mp4 and .gif, a folder that
  // cannot be written, no ffmpeg (the message names the package).
  static Result<std::unique_ptr<VideoWriter>> open(const std::filesystem::path& file,
                                                   const VideoSettings& settings);
  virtual ~VideoWriter() = default;

  // The next frame; its size must be that of the settings.
  virtual Status add(const Image& frame) = 0;
  // Closes the file. An error of ffmpeg comes with its last words. At least one frame is needed.
  virtual Status finish() = 0;
  virtual int frame_count() const = 0;
};

}  // namespace sinew::render
