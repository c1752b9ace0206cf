// The same pictures and checks by an older version of the CPU driver, which scripts/setup.sh unpacks beside the installed
// one on Debian 12. The loader takes one list of drivers a process, so a second process of this program has the older one.
#include "cooked_package.hpp"
#include "runtime/check_package.hpp"
#include "runtime/picture/flip.hpp"
#include "runtime/render.hpp"
#include "test_device.hpp"
#include "tests/paths.hpp"
#include "tests/sanitized.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sinter::test {
namespace {

constexpr std::uint32_t kWidth = 320;
constexpr std::uint32_t kHeight = 180;
constexpr const char* kPicturesVariable = "SINTER_TEST_PICTURES";
constexpr std::array kFixtures{"creature", "prop", "foliage", "cloth"};

// Full detail, a cut from far away, and the middle of each clip.
std::vector<Picture> pictures_of(const Stage& stage) {
    std::vector<RenderOptions> all(2);
    all[1].orbit.distance = 8;
    all[1].detail.pixels = 1;
    for (std::uint32_t c = 0; c < stage.motion.clips.size(); ++c) {
        const SceneClip& clip = stage.motion.clips[c];
        all.emplace_back().clip = ClipTime{c, clip.start_s + clip.duration_s / 2};
    }
    std::vector<Picture> out;
    for (RenderOptions& options : all) {
        options.width = kWidth;
        options.height = kHeight;
        auto rendered = render(stage, options);
        REQUIRE(rendered);
        out.push_back(std::move(rendered->picture));
    }
    return out;
}

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& fixture,
                              std::size_t picture) {
    return folder / (fixture + "-" + std::to_string(picture) + ".rgba");
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Runs the test case of that tag in a process with the older driver. Returns its exit code; what it says is in the log.
int run_with_older_driver(const std::string& tag, const std::filesystem::path& folder,
                          const std::filesystem::path& driver, const std::filesystem::path& log) {
    std::vector<std::string> environment{"VK_DRIVER_FILES=" + driver.string(),
                                         std::string(kPicturesVariable) + "=" + folder.string()};
    for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
    std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    std::string filter = tag;
    const std::array<char*, 3> words{program.data(), filter.data(), nullptr};
    std::vector<char*> variables;
    for (std::string& variable : environment) variables.push_back(variable.data());
    variables.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t pid = -1;
    const int code = posix_spawn(&pid, program.c_str(), &files, nullptr, words.data(), variables.data());
    posix_spawn_file_actions_destroy(&files);
    REQUIRE(code == 0);
    int status = 0;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("an older CPU driver passes the checks and draws the same pictures") {
    if (kSanitized) SKIP("minutes under the sanitizers; other tests run the same code on fixtures");
    const std::filesystem::path driver = repository(".sinter/deps/mesa-22.3/lvp_icd.json");
    if (!std::filesystem::exists(driver))
        SKIP("no second CPU driver: scripts/setup.sh unpacks Mesa 22.3 on Debian 12, beside that of "
             "backports");
    std::string name = (std::filesystem::temp_directory_path() / "sinter-runtime-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    const std::filesystem::path folder = name;
    const int code = run_with_older_driver("[older-driver]", folder, driver, folder / "log");
    INFO(text_of(folder / "log"));
    REQUIRE(code == 0);
    for (const char* fixture : kFixtures) {
        const CookedPackage cooked = cook_package(repository(std::string("fixtures/") + fixture + ".glb"));
        const Stage stage = stage_of(cooked);
        CHECK(stage.device->description().find("Mesa 22.3") == std::string::npos);
        const std::vector<Picture> pictures = pictures_of(stage);
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            CAPTURE(fixture, i);
            const std::string bytes = text_of(file_of(folder, fixture, i));
            REQUIRE(bytes.size() == pictures[i].rgba.size());
            const Picture older{kWidth, kHeight, {bytes.begin(), bytes.end()}};
            CHECK(flip_mean(pictures[i], older) <= 0.001);
            // Another view is farther away than that.
            if (i < 2) CHECK(flip_mean(pictures[1 - i], older) > 0.001);
        }
    }
    std::filesystem::remove_all(folder);
}

// Hidden: the test above starts it, by its tag.
TEST_CASE("with the older driver", "[.][older-driver]") {
    const char* folder = std::getenv(kPicturesVariable);
    REQUIRE(folder != nullptr);
    for (const char* fixture : kFixtures) {
        CAPTURE(fixture);
        const CookedPackage cooked = cook_package(repository(std::string("fixtures/") + fixture + ".glb"));
        const Stage stage = stage_of(cooked);
        REQUIRE(stage.device->description().find("Mesa 22.3") != std::string::npos);
        const auto report = check_package(
            stage, {.poses = 1, .views = 4, .far_views = 4, .width = 192, .height = 108, .select_views = 6});
        REQUIRE(report);
        for (const GpuBreach& breach : report->breaches) FAIL_CHECK(breach.message);
        const std::vector<Picture> pictures = pictures_of(stage);
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            const auto& rgba = pictures[i].rgba;
            std::ofstream(file_of(folder, fixture, i), std::ios::binary)
                .write(reinterpret_cast<const char*>(rgba.data()), static_cast<std::streamsize>(rgba.size()));
        }
        require_no_messages(*stage.device);
    }
}

}  // namespace
}  // namespace sinter::test
