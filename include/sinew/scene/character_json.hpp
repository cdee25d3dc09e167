// Characters from files: *.character.json names a model, a controller, and which clip each motion
// plays.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <sinew/asset/model.hpp>
#include <sinew/base/finding.hpp>
#include <sinew/character/character_def.hpp>
#include <sinew/scene/project_files.hpp>

namespace sinew {

struct LoadOptions {
  std::filesystem::path root{};  // project root; empty: found by itself (ProjectFiles::around)
  // Constraints that rig files may use; null: the built-in ones. A program that adds its own
  // passes them here.
  const rig::ConstraintRegistry* constraints = nullptr;
};

struct LoadedCharacter {
  CharacterDef def;
  std::shared_ptr<const Model> model;  // with its meshes, for pictures
  std::filesystem::path file;
  std::string file_name;  // relative to the project's root
};

// Reads the character file with its model, the files of its motions, its controller and its rig.
// All faults go to `findings` if given; the error is the first of them.
Result<LoadedCharacter> load_character_file(const std::filesystem::path& file,
                                            const LoadOptions& options = {},
                                            Findings* findings = nullptr);

// The same where the model is already there; the file's "model" may be missing and is not read.
Result<CharacterDef> load_character(const std::filesystem::path& file, const Model& model,
                                    const LoadOptions& options = {}, Findings* findings = nullptr);

}  // namespace sinew
