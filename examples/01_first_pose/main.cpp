// Loads a model, samples one of its clips, and prints where the joints are.
#include <cstdio>

#include <sinew/sinew.hpp>

namespace sw = sinew;

static int fail(const sw::Error& error) {
  std::fprintf(stderr, "error: %s\n", sw::to_string(error).c_str());
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: first_pose MODEL.glb CLIP SECONDS\n"), 2;
  const sw::Result<sw::Model> model = sw::gltf::load(argv[1]);
  if (!model) return fail(model.error());
  const sw::Result<int> index = model->find_clip(argv[2]);
  if (!index) return fail(index.error());

  const sw::Skeleton& skeleton = model->skeleton;
  const sw::Result<sw::Clip> clip =
      sw::Clip::build(model->clips[static_cast<std::size_t>(*index)], skeleton);
  if (!clip) return fail(clip.error());

  sw::Pose pose(skeleton);
  sw::sample_clip(*clip, skeleton, std::strtof(argv[3], nullptr), pose);
  std::vector<sw::Mat3x4> joints(static_cast<std::size_t>(skeleton.joint_count()));
  sw::local_to_model(skeleton, pose, joints);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const sw::Vec3 p = sw::translation_of(joints[static_cast<std::size_t>(j)]);
    std::printf("%-24s %8.3f %8.3f %8.3f\n", skeleton.name(j).c_str(), static_cast<double>(p.x),
                static_cast<double>(p.y), static_cast<double>(p.z));
  }
}
