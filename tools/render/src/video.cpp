#include <algorithm>
#include <cctype>
#include <optional>

#include <sinew/base/text.hpp>
#include <sinew/import/output_file.hpp>
#include <sinew/render/video.hpp>

#include "child_process.hpp"

namespace sinew::render {
namespace {

using Arguments = std::vector<std::string>;

// What every call begins with. Bit-exact: no version strings in the file.
Arguments command(const VideoSettings& settings) {
  return {settings.ffmpeg, "-nostdin", "-hide_banner", "-loglevel", "error", "-y"};
}

void append(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

Arguments raw_input(const VideoSettings& settings) {
  return {"-f",          "rawvideo",
          "-pix_fmt",    "rgba",
          "-video_size", std::to_string(settings.width) + "x" + std::to_string(settings.height),
          "-framerate",  format_text("%.6g", settings.fps),
          "-i",          "pipe:0"};
}

Error ffmpeg_error(const std::filesystem::path& file, Error error) {
  if (error.code == ErrorCode::kNotFound) {
    error.message += "; install the package 'ffmpeg' (apt install ffmpeg)";
  }
  return within(file.string(), std::move(error));
}

// What MP4 and GIF have in common: frames go to one child.
class Writer : public VideoWriter {
 public:
  Writer(std::filesystem::path file, VideoSettings settings, OutputFile output)
      : file_(std::move(file)), settings_(std::move(settings)), output_(std::move(output)) {}

  Status add(const Image& frame) override {
    if (failed_ || finished_) {
      return make_error(ErrorCode::kInvalidArgument, "the video is closed", file_.string());
    }
    const std::size_t bytes =
        static_cast<std::size_t>(settings_.width) * static_cast<std::size_t>(settings_.height) * 4;
    if (frame.width != settings_.width || frame.height != settings_.height ||
        frame.rgba.size() != bytes) {
      return make_error(ErrorCode::kMismatch,
                        format_text("a frame of %d x %d in a video of %d x %d", frame.width,
                                    frame.height, settings_.width, settings_.height),
                        file_.string());
    }
    if (child_->send(frame.rgba)) {
      ++frames_;
      return {};
    }
    failed_ = true;
    Status ended = child_->wait();
    return ffmpeg_error(
        file_, ended ? make_error(ErrorCode::kInternal, "ffmpeg stopped reading") : ended.error());
  }

  Status finish() override {
    if (failed_ || finished_) {
      return make_error(ErrorCode::kInvalidArgument, "the video is closed", file_.string());
    }
    finished_ = true;
    if (frames_ == 0) {
      return make_error(ErrorCode::kInvalidArgument, "a video needs at least one frame",
                        file_.string());
    }
    if (Status ended = child_->wait(); !ended) return ffmpeg_error(file_, ended.error());
    if (Status ended = encode_rest(); !ended) return ffmpeg_error(file_, ended.error());
    if (output_.size() == 0) {
      return make_error(ErrorCode::kInternal, "'" + settings_.ffmpeg + "' wrote nothing",
                        file_.string());
    }
    return output_.commit();
  }

  int frame_count() const override { return frames_; }

  virtual Status begin() = 0;

 protected:
  virtual Status encode_rest() { return {}; }

  Status start(const Arguments& arguments, std::span<const int> inherited) {
    auto child = ChildProcess::start(arguments, inherited, true);
    if (!child) return ffmpeg_error(file_, child.error());
    child_.emplace(std::move(*child));
    return {};
  }

  std::filesystem::path file_;
  VideoSettings settings_;
  OutputFile output_;
  std::optional<ChildProcess> child_;
  int frames_ = 0;
  bool failed_ = false, finished_ = false;
};

class Mp4Writer final : public Writer {
 public:
  using Writer::Writer;

  Status begin() override {
    Arguments arguments = command(settings_);
    append(arguments, raw_input(settings_));
    append(arguments,
           {"-vf",
            "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv",
            "-c:v",
            "libx264",
            "-preset",
            "veryfast",
            "-crf",
            std::to_string(settings_.quality),
            "-pix_fmt",
            "yuv420p",
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-color_range",
            "tv",
            "-movflags",
            "+faststart",
            "-fflags",
            "+bitexact",
            "-flags:v",
            "+bitexact",
            "-f",
            "mp4",
            output_.child_path()});
    const int inherited[] = {output_.descriptor()};
    return start(arguments, inherited);
  }
};

// A palette needs all frames, and ffmpeg would hold them in memory to do it in one go. So they are
// scaled into a lossless scratch file first, which is then read twice.
class GifWriter final : public Writer {
 public:
  GifWriter(std::filesystem::path file, VideoSettings settings, OutputFile output,
            OutputFile frames, OutputFile palette)
      : Writer(std::move(file), std::move(settings), std::move(output)),
        frames_file_(std::move(frames)),
        palette_file_(std::move(palette)) {}

  Status begin() override {
    const double fps = std::min(settings_.fps, std::clamp(settings_.gif_fps, 1.0, 50.0));
    const int width = std::min(settings_.width, std::clamp(settings_.gif_width, 2, 4096));
    Arguments arguments = command(settings_);
    append(arguments, raw_input(settings_));
    append(arguments, {"-vf", format_text("fps=%.6g,scale=%d:-1:flags=area", fps, width), "-c:v",
                       "ffvhuff", "-pix_fmt", "rgb24", "-f", "nut", frames_file_.child_path()});
    const int inherited[] = {frames_file_.descriptor()};
    return start(arguments, inherited);
  }

 protected:
  Status encode_rest() override {
    Arguments palette = command(settings_);
    append(palette,
           {"-i", frames_file_.child_path(), "-vf", "palettegen=stats_mode=full", "-frames:v", "1",
            "-c:v", "png", "-f", "image2pipe", palette_file_.child_path()});
    if (Status done = run(palette); !done) return done;
    Arguments encode = command(settings_);
    append(encode,
           {"-i", frames_file_.child_path(), "-f", "png_pipe", "-i", palette_file_.child_path(),
            "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle", "-f", "gif",
            output_.child_path()});
    return run(encode);
  }

 private:
  Status run(const Arguments& arguments) {
    const int inherited[] = {frames_file_.descriptor(), palette_file_.descriptor(),
                             output_.descriptor()};
    auto child = ChildProcess::start(arguments, inherited, false);
    if (!child) return child.error();
    return child->wait();
  }

  OutputFile frames_file_, palette_file_;
};

Result<bool> wants_gif(const std::filesystem::path& file, VideoSettings::Format format) {
  if (format != VideoSettings::Format::kByExtension) return format == VideoSettings::Format::kGif;
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".gif") return true;
  if (extension == ".mp4") return false;
  return make_error(ErrorCode::kUnsupported,
                    "a video ends in .mp4 or .gif, not in '" + extension + "'", file.string());
}

Status check(const std::filesystem::path& file, const VideoSettings& settings) {
  if (settings.width < 2 || settings.height < 2 || settings.width > kMaxPictureSide ||
      settings.height > kMaxPictureSide) {
    return make_error(ErrorCode::kInvalidArgument,
                      format_text("a video of %d x %d; sides are 2 to %d pixels", settings.width,
                                  settings.height, kMaxPictureSide),
                      file.string());
  }
  if (!(settings.fps > 0.0 && settings.fps <= 240.0)) {
    return make_error(ErrorCode::kInvalidArgument, "the frame rate is in (0, 240]", file.string());
  }
  if (settings.quality < 0 || settings.quality > 51) {
    return make_error(ErrorCode::kInvalidArgument, "the quality is 0 to 51", file.string());
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<VideoWriter>> VideoWriter::open(const std::filesystem::path& file,
                                                       const VideoSettings& settings) {
  if (Status fine = check(file, settings); !fine) return fine.error();
  auto gif = wants_gif(file, settings.format);
  if (!gif) return gif.error();
  auto output = OutputFile::create(file);
  if (!output) return output.error();
  std::unique_ptr<Writer> writer;
  if (*gif) {
    auto frames = OutputFile::create(file), palette = OutputFile::create(file);
    if (!frames) return frames.error();
    if (!palette) return palette.error();
    writer = std::make_unique<GifWriter>(file, settings, std::move(*output), std::move(*frames),
                                         std::move(*palette));
  } else {
    writer = std::make_unique<Mp4Writer>(file, settings, std::move(*output));
  }
  if (Status begun = writer->begin(); !begun) return begun.error();
  return std::unique_ptr<VideoWriter>(std::move(writer));
}

}  // namespace sinew::render
