#include "cli/report.hpp"

#include "cli/json_reader.hpp"
#include "cli/json_writer.hpp"
#include "cooker/package/library_versions.hpp"

#include <fmt/format.h>

namespace sinter {
namespace {

void write_options(JsonWriter& json, const CookOptions& options) {
    json.key("options");
    json.begin_object();
    std::string_view group;
    for (const OptionInfo& info : option_table()) {
        const std::size_t dot = info.key.find('.');
        if (info.key.substr(0, dot) != group) {
            if (!group.empty()) json.end_object();
            group = info.key.substr(0, dot);
            json.key(group);
            json.begin_object();
        }
        json.key(info.key.substr(dot + 1));
        const Result<JsonValue> value = parse_json(option_json(options, info.key), "options");
        if (value->kind == JsonKind::Boolean) json.boolean(value->text == "true");
        else if (value->kind == JsonKind::Number) json.number(number_of(*value));
        else json.string(value->text);
    }
    if (!group.empty()) json.end_object();
    json.end_object();
}

void write_inputs(JsonWriter& json, const std::vector<ReadFile>& files) {
    json.key("inputs");
    json.begin_array();
    for (const ReadFile& file : files) {
        json.begin_object();
        json.member("name", file.name);
        json.member("bytes", file.bytes);
        json.member("sha256", file.sha256);
        json.end_object();
    }
    json.end_array();
}

void write_issues(JsonWriter& json, const std::vector<Issue>& issues) {
    json.key("issues");
    json.begin_array();
    for (const Issue& issue : issues) {
        json.begin_object();
        json.member("code", static_cast<std::uint32_t>(issue.code));
        json.member("severity", issue.severity == Severity::Warning ? "warning" : "info");
        json.member("where", issue.where);
        json.member("message", issue.message);
        json.member("count", issue.count);
        json.end_object();
    }
    json.end_array();
}

void write_errors(JsonWriter& json, const AssetResult& result) {
    json.key("errors");
    json.begin_array();
    if (result.error) {
        json.begin_object();
        json.member("code", std::uint32_t{result.error->code});
        json.member("kind", name_of(result.error->kind));
        json.member("where", result.error->where);
        json.member("message", result.error->message);
        json.member("remedy", result.error->remedy);
        json.end_object();
    }
    json.end_array();
}

void write_facts(JsonWriter& json, const AssetFacts& facts) {
    json.key("facts");
    json.begin_object();
    json.member("content_root", facts.content_root);
    visit_facts(facts, [&](std::string_view name, const auto& value) { json.member(name, value); });
    json.end_object();
}

void write_asset(JsonWriter& json, const AssetJob& job, const AssetOutcome& outcome) {
    json.begin_object();
    json.member("input", job.input.string());
    json.member("status", outcome.result.error ? "failed" : "cooked");
    json.member("exit_code", static_cast<std::int32_t>(exit_code_of(outcome)));
    write_options(json, job.options);
    write_inputs(json, outcome.result.files);
    if (!outcome.result.error) {
        json.member("output", job.output.string());
        write_facts(json, outcome.result.facts);
    }
    write_issues(json, outcome.result.issues);
    write_errors(json, outcome.result);
    json.end_object();
}

void write_run(JsonWriter& json, const BatchOutcome& batch, const RunOptions& run, double wall_s) {
    json.key("run");
    json.begin_object();
    json.member("jobs", run.jobs);
    json.member("max_memory_bytes", run.max_memory);
    json.member("max_time_s", run.max_time_s);
    json.member("wall_s", wall_s);
    json.key("assets");
    json.begin_array();
    for (const AssetOutcome& outcome : batch.assets) {
        json.begin_object();
        json.member("wall_s", outcome.wall_s);
        json.member("peak_rss_bytes", outcome.peak_rss_bytes);
        json.key("stages");
        json.begin_array();
        for (const StageTime& stage : outcome.stages) {
            json.begin_object();
            json.member("name", stage.name);
            json.member("wall_s", stage.seconds);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace

ExitCode exit_code_of(const AssetOutcome& outcome) {
    return outcome.result.error ? exit_code_of(outcome.result.error->kind) : ExitCode::Ok;
}

Error with_path(Error error, const AssetJob& job) {
    const std::string file = job.input.filename().string();
    const std::string path = job.input.string();
    if (error.where.starts_with(path)) return error;
    if (error.where.starts_with(file)) error.where.replace(0, file.size(), path);
    else if (error.kind != ErrorKind::Io)
        error.where = error.where.empty() ? path : path + ": " + error.where;
    return error;
}

std::string report_json(const std::vector<AssetJob>& jobs, const BatchOutcome& batch, const RunOptions& run,
                        ExitCode exit_code, double wall_s) {
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-report/1");
    json.member("sinter", tool_version());
    json.member("exit_code", static_cast<std::int32_t>(exit_code));
    json.key("assets");
    json.begin_array();
    for (std::size_t i = 0; i < jobs.size(); ++i) write_asset(json, jobs[i], batch.assets[i]);
    json.end_array();
    write_run(json, batch, run, wall_s);
    json.end_object();
    return json.text();
}

}  // namespace sinter
