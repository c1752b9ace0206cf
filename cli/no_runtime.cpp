// What needs the Vulkan runtime, in a program that was built without it.
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/validate_gpu.hpp"

namespace sinter {
namespace {

Error no_runtime(const char* where) {
    return {ErrorKind::Unsupported, where, "this program was built without the Vulkan runtime",
            "configure with -DSINTER_BUILD_RUNTIME=ON"};
}

}  // namespace

ExitCode run_bench(Arguments /*arguments*/) {
    print_error(no_runtime("bench"), {});
    return ExitCode::Unsupported;
}

ExitCode run_render(Arguments /*arguments*/) {
    print_error(no_runtime("render"), {});
    return ExitCode::Unsupported;
}

Result<GpuValidation> validate_on_gpu(const std::string& /*path*/, const std::string& /*device*/) {
    return no_runtime("--gpu");
}

}  // namespace sinter
