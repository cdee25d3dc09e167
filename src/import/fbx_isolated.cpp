#include <sinew/base/text.hpp>
#include <sinew/import/fbx.hpp>

#include "model_bytes.hpp"
#include "worker_process.hpp"

namespace sinew {

Result<Model> load_fbx_isolated(const std::string& path, const FbxOptions& options,
                                const FbxWorker& worker) {
  if (!(worker.seconds >= 0 && worker.seconds <= 86400)) {
    return make_error(ErrorCode::kInvalidArgument, "seconds must be from 0 to 86400");
  }
  const Result<std::string> program = find_worker(worker.program);
  if (!program) return program.error();
  WorkerLimits limits;
  if (worker.seconds > 0) limits.seconds = worker.seconds;
  if (worker.memory_bytes > 0) limits.memory_bytes = worker.memory_bytes;
  const Result<std::string> answer =
      run_worker(*program,
                 {"fbx", path, format_text("%.17g", options.sample_rate),
                  format_text("%.17g", options.metres_per_unit), options.skip_meshes ? "1" : "0",
                  std::to_string(options.max_bytes)},
                 limits);
  if (!answer) {
    return answer.error().code == ErrorCode::kNotFound ? answer.error()
                                                       : within(path, answer.error());
  }
  Result<Model> model = decode_model(*answer);
  if (!model && model.error().where.empty()) return within(path, std::move(model).error());
  return model;
}

}  // namespace sinew
