#include "cli/render.hpp"

#include "cli/arguments.hpp"
#include "cli/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/json_writer.hpp"
#include "cli/package_file.hpp"
#include "cli/render_sheet.hpp"
#include "cli/terminal.hpp"
#include "runtime/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sinter {
namespace {

struct Drawn {
    std::string device;
    Picture picture;
    std::uint64_t triangles = 0;      // in all pictures
    std::vector<SheetPicture> cells;  // of a sheet
};

// The clip of that name, or of that number where none has the name.
Result<std::optional<ClipTime>> clip_of(const Stage& stage, const RenderWords& words,
                                        const RenderRequest& request) {
    if (!words.clip) return std::optional<ClipTime>();
    const auto& clips = stage.manifest->clips;
    const auto named =
        std::ranges::find_if(clips, [&](const auto& clip) { return clip->name == *words.clip; });
    auto index = static_cast<std::size_t>(named - clips.begin());
    if (named == clips.end()) {
        const auto [end, problem] =
            std::from_chars(words.clip->data(), words.clip->data() + words.clip->size(), index);
        if (problem != std::errc() || end != words.clip->data() + words.clip->size() ||
            index >= clips.size()) {
            std::string names;
            for (std::size_t i = 0; i < std::min<std::size_t>(clips.size(), 12); ++i)
                names += fmt::format("{}'{}'", i == 0 ? "" : ", ", clips[i]->name);
            return Error{ErrorKind::Usage, "--clip", fmt::format("no clip is '{}'", *words.clip),
                         clips.empty() ? "the package has no clips" : fmt::format("it has {}", names)};
        }
    }
    return std::optional(
        ClipTime{static_cast<std::uint32_t>(index), request.time_s.value_or(clips[index]->start_s)});
}

Result<Drawn> draw_package(const RenderWords& words, const RenderRequest& request) {
    const std::string& path = words.packages.front();
    // What is not correct is not drawn: a device does not forgive wrong indices.
    SINTER_TRY_ASSIGN(const OpenPackage package, open_sound_package(path));
    SINTER_TRY_ASSIGN(std::unique_ptr<Device> device, open_device({words.device.value_or(""), false}));
    Drawn out{device->description(), {}, 0, {}};
    Result<Stage> created = create_stage(std::move(device), package.view, *package.manifest);
    if (!created) return at_path(std::move(created).error(), path);
    const Stage& stage = *created;
    RenderOptions options;
    options.width = request.width;
    options.height = request.height;
    options.mode = request.mode;
    options.orbit = request.orbit;
    options.detail.level = request.level;
    options.detail.pixels = request.pixels;
    SINTER_TRY_ASSIGN(options.clip, clip_of(stage, words, request));
    if (request.sheet == Sheet::None) {
        SINTER_TRY_ASSIGN(Rendered rendered, render(stage, options));
        out.picture = std::move(rendered.picture);
        out.triangles = rendered.triangles;
    } else {
        SINTER_TRY_ASSIGN(DrawnSheet sheet, draw_sheet(stage, request.sheet, options));
        out.picture = std::move(sheet.picture);
        out.cells = std::move(sheet.cells);
        for (const SheetPicture& cell : out.cells) out.triangles += cell.triangles;
    }
    SINTER_TRY_ASSIGN(const std::vector<std::byte> png, encode_png(out.picture));
    SINTER_TRY(write_whole_file(*words.out, {reinterpret_cast<const char*>(png.data()), png.size()}));
    return out;
}

void write_cell(JsonWriter& json, const RenderWords& words, const SheetPicture& cell) {
    json.begin_object();
    json.member("caption", cell.caption);
    json.member("mode", kDrawModeNames[static_cast<std::size_t>(cell.options.mode)]);
    if (cell.options.detail.level) json.member("level", *cell.options.detail.level);
    if (cell.options.clip) {
        json.member("clip", *words.clip);
        json.member("time_s", cell.options.clip->time_s);
    }
    json.member("triangles", cell.triangles);
    json.end_object();
}

std::string json_of(const RenderWords& words, const Drawn& drawn) {
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-render/1");
    json.member("package", words.packages.front());
    json.member("picture", *words.out);
    json.member("device", drawn.device);
    json.member("width", drawn.picture.width);
    json.member("height", drawn.picture.height);
    json.member("triangles", drawn.triangles);
    if (words.sheet) {
        json.member("sheet", *words.sheet);
        json.key("cells");
        json.begin_array();
        for (const SheetPicture& cell : drawn.cells) write_cell(json, words, cell);
        json.end_array();
    }
    json.end_object();
    return json.text();
}

}  // namespace

ExitCode run_render(Arguments arguments) {
    RenderWords words;
    CommonOptions common;
    ArgumentParser parser("render", "a picture of a package, drawn by the bundled Vulkan runtime",
                          "  sinter render hero.sinter -o hero.png\n"
                          "  sinter render hero.sinter -o hero.png --lod-error 1 --mode clusters\n"
                          "  sinter render hero.sinter -o hero.png --level 3 --camera 200,10\n"
                          "  sinter render hero.sinter -o walk.png --sheet clip --clip walk\n");
    parser.positionals("PKG", words.packages, "the package");
    parser.option("-o,--output", words.out, "OUT.png", "the picture");
    parser.option("--mode", words.mode, "MODE",
                  "shaded, wire, clusters, groups, levels, max-level, materials, error or bones");
    parser.option("--size", words.size, "WxH",
                  "pixels; default 1280x720, of each picture of a sheet 480x270");
    parser.option("--lod-error", words.lod_error, "PX",
                  "the coarsest cut with at most this error in pixels; default: full detail");
    parser.option("--level", words.level, "N", "level N of detail, 0 the finest");
    parser.option("--clip", words.clip, "NAME",
                  "in a moment of this clip (name or number); default: the rest pose");
    parser.option("--time", words.time, "S", "the moment, in the clip's own seconds; default: its start");
    parser.option("--camera", words.camera, "AZIMUTH,ELEVATION[,DISTANCE]",
                  "where from: degrees around and above, distance 1 = all of it just fits; default 30,15,1");
    parser.option("--sheet", words.sheet, "levels|clip|modes",
                  "a contact sheet: every level, moments of the clip, or every mode, by one camera");
    parser.option("--device", words.device, "cpu|gpu|NAME", "default: a GPU, or else the CPU");
    if (const auto code = parser.parse(arguments, common)) return *code;
    const auto fail = [&](const Error& error) {
        print_error(error, common);
        return exit_code_of(error.kind);
    };
    const Result<RenderRequest> request = read_render_request(words);
    if (!request) return fail(request.error());
    const Result<Drawn> drawn = draw_package(words, *request);
    if (!drawn) return fail(drawn.error());
    if (common.format == OutputFormat::Json)
        return write_stdout(json_of(words, *drawn)) ? ExitCode::Ok : ExitCode::Io;
    if (common.quiet) return ExitCode::Ok;
    return write_stdout(printable_line(fmt::format("{} -> {}", words.packages.front(), *words.out)) +
                        fmt::format(", {}, {}\n",
                                    drawn->cells.empty() ? counted(drawn->triangles, "triangle")
                                                         : counted(drawn->cells.size(), "picture"),
                                    drawn->device))
               ? ExitCode::Ok
               : ExitCode::Io;
}

}  // namespace sinter
