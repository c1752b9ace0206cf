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

std::string findings_of(std::string_view path, const MeshDeepReport& mesh, const DeepCheck& check) {
    std::string text;
    for (const DeepFinding& finding : check.findings) {
        text += fmt::format("{}: mesh {} '{}': {}: {}: {}\n", printable(std::string(path)), mesh.mesh,
                            printable(mesh.name), check.name, finding.where, printable(finding.message));
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
        for (const DeepCheck& check : mesh.report.checks) text += findings_of(path, mesh, check);
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

}  // namespace sinter
