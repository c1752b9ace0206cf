// The verbs that need the Vulkan runtime, in a program that was built without it.
#include "cli/commands.hpp"
#include "cli/terminal.hpp"

namespace sinter {

ExitCode run_render(Arguments /*arguments*/) {
    print_error({ErrorKind::Unsupported, "render", "this program was built without the Vulkan runtime",
                 "configure with -DSINTER_BUILD_RUNTIME=ON"},
                {});
    return ExitCode::Unsupported;
}

}  // namespace sinter
