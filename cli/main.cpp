// The sinter program: finds the verb and runs it.
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cooker/nearest.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

namespace sinter {
namespace {

struct Verb {
    std::string_view name;
    std::string_view help;  // empty: hidden
    ExitCode (*run)(Arguments) = nullptr;
};

constexpr std::array kVerbs{
    Verb{"cook", "assets in, packages out: glTF, FBX, COLLADA, OBJ, PLY, STL", run_cook},
    Verb{"inspect", "what is inside a package, with sizes and stored errors", run_inspect},
    Verb{"validate", "whether files are correct packages", run_validate},
    Verb{"diff", "what differs between two packages, with tolerances", run_diff},
    Verb{"export", "what is in a package as glTF, with chosen levels of detail", run_export},
    Verb{"render", "a picture of a package, drawn by the bundled Vulkan runtime", run_render},
    Verb{"bench", "how long each pass of the runtime takes on a GPU", run_bench},
    Verb{"version", "the versions of the program, the format and the libraries", run_version},
    Verb{"cook-worker", "", run_cook_worker},
};

std::string help_page() {
    std::string text =
        "sinter cooks skinned meshes and animations into GPU-ready packages (.sinter).\n\n"
        "Examples\n"
        "  sinter cook hero.glb                      writes hero.sinter into the current folder\n"
        "  sinter cook *.fbx --out-dir cooked -j 8   many assets, one worker process each\n"
        "  sinter cook --help                        all options of a verb, with examples\n\n"
        "Verbs\n";
    for (const Verb& verb : kVerbs) {
        if (!verb.help.empty()) text += fmt::format("  {:<10}{}\n", verb.name, verb.help);
    }
    return text + "\nExit codes: 0 ok, 1 usage, 2 I/O, 3 invalid input, 4 internal, 5 unsupported, 6 limit,\n"
                  "7 packages differ, 8 validation failed.\n";
}

ExitCode unknown_verb(const std::string& word) {
    std::vector<std::string_view> names;
    for (const Verb& verb : kVerbs) {
        if (!verb.help.empty()) names.push_back(verb.name);
    }
    const std::string_view near = nearest(word, names);
    print_error({ErrorKind::Usage,
                 {},
                 fmt::format("unknown verb '{}'", word),
                 near.empty() ? "`sinter --help` lists them" : fmt::format("did you mean '{}'?", near)},
                {});
    return ExitCode::Usage;
}

ExitCode run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        print_error({ErrorKind::Usage, {}, "no verb", "`sinter --help` lists them"}, {});
        return ExitCode::Usage;
    }
    const std::string& word = arguments.front();
    if (word == "--help" || word == "-h" || word == "help") {
        return write_stdout(help_page()) ? ExitCode::Ok : ExitCode::Io;
    }
    const std::string name = word == "--version" ? "version" : word;
    for (const Verb& verb : kVerbs) {
        if (verb.name == name) return verb.run(std::span(arguments).subspan(1));
    }
    return unknown_verb(word);
}

// A caller may close stdin, stdout or stderr; the next file to be opened must not take their numbers.
void open_standard_streams() {
    for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
        if (fd > STDERR_FILENO) {
            ::close(fd);
            return;
        }
    }
}

}  // namespace
}  // namespace sinter

int main(int count, char** words) {
    // A reader that went away (| head) must be a failed write, not a death in the middle of a cook.
    std::signal(SIGPIPE, SIG_IGN);
    sinter::open_standard_streams();
    try {
        return static_cast<int>(sinter::run(count > 0 ? std::vector<std::string>(words + 1, words + count)
                                                      : std::vector<std::string>()));
    } catch (const std::bad_alloc&) {
        sinter::print_error({sinter::ErrorKind::Limit, {}, "out of memory", {}}, {});
        return static_cast<int>(sinter::ExitCode::Limit);
    } catch (const std::exception& problem) {
        sinter::print_error({sinter::ErrorKind::Internal, {}, problem.what(), "please report this"}, {});
        return static_cast<int>(sinter::ExitCode::Internal);
    }
}
