// All of Sinew for a program that uses it: `#include <sinew/sinew.hpp>`, `namespace sw = sinew;`.
// Link the target sinew::sinew.
#pragma once

#include <sinew/asset/clip.hpp>
#include <sinew/asset/mask.hpp>
#include <sinew/asset/mirror_map.hpp>
#include <sinew/asset/model.hpp>
#include <sinew/base/jobs.hpp>
#include <sinew/base/log.hpp>
#include <sinew/character/character_def.hpp>
#include <sinew/character/world.hpp>
#include <sinew/graph/builder.hpp>
#include <sinew/import/gltf.hpp>
#include <sinew/import/import.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/pose/blend.hpp>
#include <sinew/pose/mirror.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/root_motion.hpp>
#include <sinew/pose/sample.hpp>
#include <sinew/pose/two_bone.hpp>
#include <sinew/rig/constraints.hpp>
#include <sinew/rig/rig_def.hpp>
#include <sinew/scene/character_json.hpp>
#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/recording.hpp>
#include <sinew/scene/rig_json.hpp>
#include <sinew/scene/scene_run.hpp>
#include <sinew/scene/thread_jobs.hpp>
