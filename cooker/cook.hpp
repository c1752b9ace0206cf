// The pipeline: runs every stage over one asset, in the order of the folders.
#pragma once

#include "cooker/cooked_asset.hpp"

#include <sinter/formats/result.hpp>

#include <functional>
#include <string_view>

namespace sinter {

// Told the name of each stage as it begins ("import", "mesh 3/12", ...); may be empty. For display only.
using StageObserver = std::function<void(std::string_view)>;

// Imports, checks and cooks the asset of `files`. Errors: those of the stages, where names the asset's file.
// Deterministic: the result depends on the bytes of the input files and the options only; `threads` (at least 1)
// changes nothing in it.
[[nodiscard]] Result<CookedAsset> cook_asset(SourceFiles& files, const CookOptions& options, Issues& issues,
                                             const StageObserver& observer = {}, std::uint32_t threads = 1);

}  // namespace sinter
