#include "cli/validate_deep.hpp"

#include "cli/counted.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter {
namespace {

std::string check_line(const DeepCheck& check) {
    std::string text =
        fmt::format("    {:<14}{:>12} {:<12}", check.name, count_text(check.checked), check.subject);
    text += check.failed == 0 ? "  ok" : fmt::format("  {} FAILED", count_text(check.failed));
    std::string_view separator = "   ";
    for (const DeepFigure& figure : check.figures) {
        text += fmt::format("{}{} {:.4g}", separator, figure.name, figure.value);
        separator = ", ";
    }
    return text + "\n";
}

// `of` is what was checked of the package: "mesh 2 'hat'" or "gpu".
std::string findings_of(std::string_view path, std::string_view of, const DeepCheck& check) {
    std::string text;
    for (const DeepFinding& finding : check.findings) {
        text += fmt::format("{}: {}: {}: {}: {}\n", printable(path), printable(of), check.name, finding.where,
                            printable(finding.message));
    }
    return text;
}

void write_check(JsonWriter& json, const DeepCheck& check) {
    json.begin_object();
    json.member("name", check.name);
    json.member("subject", check.subject);
    json.member("checked", check.checked);
    json.member("failed", check.failed);
    json.key("figures");
    json.begin_object();
    for (const DeepFigure& figure : check.figures) json.member(figure.name, figure.value);
    json.end_object();
    json.key("findings");
    json.begin_array();
    for (const DeepFinding& finding : check.findings) {
        json.begin_object();
        json.member("where", finding.where);
        json.member("message", finding.message);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace

bool all_ok(const std::vector<MeshDeepReport>& meshes) {
    return std::ranges::all_of(meshes, [](const MeshDeepReport& mesh) { return mesh.report.ok(); });
}

std::string deep_text(std::string_view path, const std::vector<MeshDeepReport>& meshes, bool quiet) {
    std::string text;
    for (const MeshDeepReport& mesh : meshes) {
        if (!quiet) {
            text += fmt::format("  mesh {} '{}', {}\n", mesh.mesh, printable(mesh.name),
                                counted(mesh.triangles, "triangle"));
            for (const DeepCheck& check : mesh.report.checks) text += check_line(check);
            if (!mesh.report.complete)
                text += "    the structure is broken: the other checks were left out\n";
        }
        const std::string of = fmt::format("mesh {} '{}'", mesh.mesh, mesh.name);
        for (const DeepCheck& check : mesh.report.checks) text += findings_of(path, of, check);
    }
    return text;
}

void write_deep_json(JsonWriter& json, const std::vector<MeshDeepReport>& meshes) {
    json.key("deep");
    json.begin_array();
    for (const MeshDeepReport& mesh : meshes) {
        json.begin_object();
        json.member("mesh", mesh.mesh);
        json.member("name", mesh.name);
        json.member("triangles", mesh.triangles);
        json.member("ok", mesh.report.ok());
        json.member("complete", mesh.report.complete);
        json.key("checks");
        json.begin_array();
        for (const DeepCheck& check : mesh.report.checks) write_check(json, check);
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

bool GpuValidation::ok() const {
    return std::ranges::all_of(checks, [](const DeepCheck& check) { return check.failed == 0; });
}

std::string gpu_text(std::string_view path, const GpuValidation& validation, bool quiet) {
    std::string text;
    if (!quiet) {
        text += fmt::format("  gpu: {}\n", printable(validation.device));
        for (const DeepCheck& check : validation.checks) text += check_line(check);
    }
    for (const DeepCheck& check : validation.checks) text += findings_of(path, "gpu", check);
    return text;
}

void write_gpu_json(JsonWriter& json, const GpuValidation& validation) {
    json.key("gpu");
    json.begin_object();
    json.member("device", validation.device);
    json.member("ok", validation.ok());
    json.key("checks");
    json.begin_array();
    for (const DeepCheck& check : validation.checks) write_check(json, check);
    json.end_array();
    json.end_object();
}

}  // namespace sinter
