// Unity's animator controllers (`.controller`, `.overrideController`, text form, Unity 4 to 6) as
// our ControllerSource, and back. What is kept, changed and left out: docs/unity.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>
#include <sinew/graph/source.hpp>
#include <sinew/unity/assets.hpp>

namespace sinew::unity {

// A name of the source, and the asset that it stands for.
struct NamedAsset {
  std::string name{};
  AssetRef ref{};
  std::filesystem::path file{};  // empty: not known
  bool resolved = false;         // false: nothing names it; it stands in as an empty motion of 1 s
};

// A state machine behaviour. The source has its name alone; the fields are for the host.
struct Behaviour {
  std::string name{};   // of its class, where that is known; else the guid of its script
  std::string layer{};  // name
  std::string owner{};  // path of the state or machine in the layer; empty: the layer's root
  AssetRef script{};
  std::string identifier{};  // "Assembly:Namespace:Class", of some versions
  bool of_machine = false;
  bool of_synced_layer = false;  // replaces those of the source layer's state; not in the source
  int line = 0;
  std::string fields{};  // the user's own, as they stand in the file: YAML, indented by two
};

struct Controller {
  ControllerSource source{};
  std::vector<NamedAsset> motions{};  // one per motion of the source, in its order
  std::vector<NamedAsset> masks{};
  std::vector<Behaviour> behaviours{};
  Findings findings{};  // warnings and notes, each with its line
};

struct ReadOptions {
  const AssetMap* assets = nullptr;  // null: no reference to another file is known
  bool read_clips = true;            // length, loop and events of motions whose .anim file is there
};

// Reads the text of a controller; `file` is its name in messages. Faults that leave a controller
// are findings with their place ("line 120: layer 'Base': state 'Walk': transition 0"):
//   a motion that nothing names           an empty motion of 1 s
//   a transition that leads nowhere       is left out
//   a condition on an undeclared parameter, or of a mode that its type does not have
//                                         the transition can never be taken (it is muted)
//   a parameter declared twice            the first counts
//   a default state that is not there     the first state
//   a machine inside itself, a state or machine of two parents    the first place counts
//   a name that occurs twice in a machine gets a number
// Errors, with the line: not_unity_text (a Git LFS pointer, a binary asset), YAML that breaks its
// rules, no controller in the file, a limit.
Result<Controller> read_controller(std::string_view text, const std::string& file = {},
                                   const ReadOptions& options = {});

struct LoadOptions {
  const AssetMap* assets = nullptr;    // counts before what is found beside the file
  std::filesystem::path motion_map{};  // see AssetMap::add_json; empty: "NAME.motions.json" beside
                                       // the controller, if it is there
  bool scan = true;                    // read the .meta files around (asset_folder())
};

// Reads a .controller file, or an .overrideController and the controller that it changes (at most
// 16 deep).
Result<Controller> load_controller(const std::filesystem::path& file,
                                   const LoadOptions& options = {});

struct WriteOptions {
  // What names of motions, masks and behaviours stand for. A name that is not there is looked for
  // in `assets`; "<guid>" and "<guid>#<file id>" are references themselves; for any other name a
  // guid is made of the name.
  const Controller* origin = nullptr;
  const AssetMap* assets = nullptr;
};

struct WrittenController {
  std::string text;
  std::vector<NamedAsset> motions;  // with the references that were written
  Findings findings;                // what Unity's format has no place for; made-up guids
};

// The text of a .controller file in the layout of Unity 2019 and later. The same source gives the
// same text. Reading it again gives the same graph, motions under the same names if the references
// resolve as before. Errors: a transition, default state or synced motion names a state that is not
// there; a value is not finite; nesting beyond 32 machines or 16 trees.
Result<WrittenController> write_controller(const ControllerSource& source,
                                           const WriteOptions& options = {});
Result<WrittenController> write_controller(const Controller& controller,
                                           const AssetMap* assets = nullptr);

// An animator override controller: other motions in the places of a controller's.
struct Override {
  struct Entry {
    AssetRef original{};
    AssetRef replacement{};  // null: the original stays
    int line = 0;
  };
  std::string name{};
  AssetRef controller{};  // a controller, or another override
  std::vector<Entry> entries{};
  Findings findings{};
};
Result<Override> read_override(std::string_view text, const std::string& file = {});

// Replaces every use of the motions that the override names; it goes by reference, not by name. An
// entry for a motion that the controller does not use is a note.
void apply_override(Controller& controller, const Override& changes,
                    const ReadOptions& options = {});

}  // namespace sinew::unity
