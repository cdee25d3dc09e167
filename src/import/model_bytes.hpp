// A model as bytes: the way out of the process that read it.
#pragma once

#include <string>
#include <string_view>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew {

// Everything that a Model holds, bit by bit; decoding gives the same skeleton hash.
std::string encode_model(const Model& model);
std::string encode_model_error(const Error& error);

// The model, or the error that was encoded. Nothing about the bytes is taken on trust: every count
// is checked against the bytes that are there, every index against its list, every number for
// being finite, every clip by validate(); what does not hold is kInternal.
Result<Model> decode_model(std::string_view bytes);

}  // namespace sinew
