#!/usr/bin/env python3
"""A reader of raw-coded .sinter packages that was written from docs/package-format.md alone: Python's standard library,
no FlatBuffers, no code of Sinter. It checks what it reads and prints counts and the content root as JSON."""
import hashlib
import json
import struct
import sys

U8, U16, U32, U64, I32, F32, F64 = "<B", "<H", "<I", "<Q", "<i", "<f", "<d"
TEXT, F3, F4 = "text", 12, 16  # a number is a struct of that many bytes


def list_of(kind):
    return ("list", kind)


def table_of(name):
    return ("table", name)


SCHEMA = {  # fields in the order of schemas/package.fbs
    "Texture": [("slot", TEXT), ("uri", TEXT), ("uv_set", U32)],
    "Material": [("name", TEXT), ("base_color", F4), ("emissive", F3), ("metallic", F32), ("roughness", F32),
                 ("alpha_cutoff", F32), ("alpha_mode", U8), ("double_sided", U8), ("textures", list_of(table_of("Texture")))],
    "Node": [("name", TEXT), ("parent", I32), ("translation", F3), ("rotation", F4), ("scale", F3), ("matrix", list_of(F32)),
             ("mesh", I32), ("skin", I32), ("shape_weights", list_of(F32)), ("in_scene", U8)],
    "Grid": [("kind", U8), ("bits", U32), ("center", F3), ("step", F32), ("max_error", F32)],
    "Bounds": [("min", F3), ("max", F3), ("center", F3), ("radius", F32)],
    "Submesh": [("material", I32), ("first_index", U32), ("index_count", U32)],
    "NormalInfo": [("bits", U32), ("max_error_deg", F32), ("made", U8)],
    "TangentInfo": [("bits", U32), ("made", U8), ("max_error_deg", F32)],
    "Influences": [("stride", U32), ("weight_bits", U32), ("max_source", U32), ("max", U32), ("dropped_vertices", U64),
                   ("max_dropped_weight", F32), ("class_0", U64), ("class_1", U64), ("class_4", U64), ("class_8", U64),
                   ("max_posed_error", F32)],
    "ShapeFrame": [("weight", F32), ("first_record", U64), ("record_count", U64), ("has_normals", U8), ("has_tangents", U8)],
    "Shape": [("name", TEXT), ("default_weight", F32), ("frames", list_of(table_of("ShapeFrame"))),
              ("affected_vertices", U32), ("max_delta", F32), ("max_error", F32)],
    "Mesh": [("name", TEXT), ("vertex_count", U32), ("index_count", U64), ("grid", table_of("Grid")),
             ("bounds", table_of("Bounds")), ("submeshes", list_of(table_of("Submesh"))), ("skin", I32),
             ("normal", table_of("NormalInfo")), ("tangent", table_of("TangentInfo")), ("uv_sets", U32), ("has_colors", U8),
             ("influences", table_of("Influences")), ("shapes", list_of(table_of("Shape"))), ("point_count", U32),
             ("source_triangles", U64), ("degenerate_triangles", U64), ("duplicate_triangles", U64), ("source_vertices", U64),
             ("cluster_dag", table_of("ClusterDag")), ("uvs", list_of(table_of("UvInfo")))],
    "UvInfo": [("bits", U32), ("min_u", F32), ("min_v", F32), ("step_u", F32), ("step_v", F32), ("max_error", F32)],
    "ClusterLevel": [("clusters", U32), ("groups", U32), ("triangles", U64), ("stuck_groups", U32), ("min_error", F32),
                     ("max_error", F32)],
    "MeasuredPose": [("node", I32), ("clip", I32), ("frame", U32), ("shape", I32), ("shape_frame", U32)],
    "ClusterDag": [("levels", list_of(table_of("ClusterLevel"))), ("group_count", U32), ("cluster_count", U32),
                   ("page_count", U32), ("hierarchy_node_count", U32), ("dependency_count", U32), ("prefix_count", U32),
                   ("skin_batch_count", U32), ("max_triangles", U32), ("max_vertices", U32), ("stored_triangles", U64),
                   ("reference_count", U64), ("root_triangles", U64), ("root_clusters", U32), ("clones", U32),
                   ("resident_bytes", U64), ("measured_error", U8), ("poses", U32),
                   ("measured_poses", list_of(table_of("MeasuredPose"))), ("pose_scale", F32)],
    "Skin": [("name", TEXT), ("skeleton", U32), ("bone_of_joint", list_of(U32))],
    "Bone": [("name", TEXT), ("parent", I32), ("node", I32), ("helper", U8)],
    "Skeleton": [("name", TEXT), ("bones", list_of(table_of("Bone"))), ("leaf_bones", U32), ("max_depth", U32)],
    "Track": [("node", I32), ("path", U8), ("step", U8), ("constant", U8), ("components", U32), ("first_value", U64)],
    "Clip": [("name", TEXT), ("start_s", F64), ("duration_s", F64), ("sample_rate_hz", F64), ("frame_count", U32),
             ("tracks", list_of(table_of("Track"))), ("raw_bytes", U64), ("max_translation_error", F32),
             ("max_rotation_error_deg", F32), ("max_scale_error", F32), ("max_weight_error", F32), ("max_step_error_s", F32)],
    "Manifest": [(None, None), (None, None), ("nodes", list_of(table_of("Node"))), ("materials", list_of(table_of("Material"))),
                 ("meshes", list_of(table_of("Mesh"))), ("skins", list_of(table_of("Skin"))),
                 ("skeletons", list_of(table_of("Skeleton"))), ("clips", list_of(table_of("Clip")))],
}
MANIFEST, POSITIONS, INDICES, PAGES, PAGE_DATA = 0x0001, 0x0101, 0x0106, 0x0503, 0x0601


def get(fmt, data, at):
    return struct.unpack_from(fmt, data, at)[0]


def read_value(data, at, kind):
    """The value at `at` and its canonical dump."""
    if kind == TEXT:
        at += get(U32, data, at)
        size = get(U32, data, at)
        text = bytes(data[at + 4:at + 4 + size])
        return text.decode(), struct.pack(U32, size) + text if size else b""
    if isinstance(kind, int):
        return struct.unpack_from("<%df" % (kind // 4), data, at), bytes(data[at:at + kind])
    if isinstance(kind, str):
        value = get(kind, data, at)
        return value, struct.pack(kind, value) if value else b""
    if kind[0] == "table":
        return read_table(data, at + get(U32, data, at), kind[1])
    at += get(U32, data, at)
    count = get(U32, data, at)
    size = 4 if isinstance(kind[1], tuple) else struct.calcsize(kind[1])
    values, dump = [], struct.pack(U32, count)
    for i in range(count):
        where = at + 4 + i * size
        value, piece = read_value(data, where, kind[1])
        values.append(value)  # list entries that are 0 are dumped like the others
        dump += piece if isinstance(kind[1], tuple) else bytes(data[where:where + size])
    return values, dump if count else b""


def default_of(kind):
    if kind == TEXT:
        return ""
    if isinstance(kind, str):
        return 0
    return [] if isinstance(kind, tuple) and kind[0] == "list" else None


def read_table(data, at, name):
    vtable = at - get(I32, data, at)
    vtable_size = get(U16, data, vtable)
    values, dump = {}, b""
    for number, (field, kind) in enumerate(SCHEMA[name]):
        slot = 4 + 2 * number
        offset = get(U16, data, vtable + slot) if slot < vtable_size else 0
        if field is None:
            continue
        if offset == 0:
            values[field] = default_of(kind)
            continue
        values[field], piece = read_value(data, at + offset, kind)
        if piece:
            dump += struct.pack(U16, number) + piece
    return values, dump + b"\xff\xff"


def read_package(data):
    magic, major, minor, _, _, header_size, entry_size, count = struct.unpack_from("<8sHHHHIII", data, 0)
    assert magic == b"\x89SNTR\r\n\x1a" and (major, minor) == (0, 3) and header_size == entry_size == 128
    file_size, toc_offset = struct.unpack_from("<QQ", data, 32)
    assert file_size == len(data)
    sections, root = {}, hashlib.sha256()
    for i in range(count):
        kind, codec, _, ident, offset, stored, raw, _, stride, records = struct.unpack_from("<IHHQQQQIIQ", data, toc_offset + 128 * i)
        digest = data[toc_offset + 128 * i + 80:toc_offset + 128 * i + 112]
        assert codec == 0 and stored == raw == stride * records
        sections[kind, ident] = data[offset:offset + stored]
        assert hashlib.sha256(sections[kind, ident]).digest() == digest
        if kind != MANIFEST:
            root.update(struct.pack("<IQ", kind, ident) + digest)
    manifest_bytes = sections[MANIFEST, 0]
    manifest, dump = read_table(manifest_bytes, get(U32, manifest_bytes, 0), "Manifest")
    root.update(hashlib.sha256(dump).digest())
    assert root.digest() == data[64:96], "content root"
    return manifest, sections, root.hexdigest()


def read_arrays(sections, i, mesh):
    """Grid positions and full-detail triangles of a mesh as plain arrays."""
    fmt = "<3h2x" if mesh["grid"]["bits"] == 16 else "<3i"
    indices = [v for v, in struct.iter_unpack(U32, sections.get((INDICES, i), b""))]
    return list(struct.iter_unpack(fmt, sections.get((POSITIONS, i), b""))), indices


def read_pages(sections, i, mesh):
    """The same of a mesh in pages: all vertices, and the triangles of the clusters that replace nothing."""
    first = [record[0] for record in struct.iter_unpack("<10If4x", sections[PAGES, i])]
    assert len(first) == mesh["cluster_dag"]["page_count"]
    points, indices = [], []
    for p in range(len(first)):
        page = sections[PAGE_DATA, (i << 32) | p]
        number, _, size, vertices, clusters, _, _, _, bits, _, _, at_clusters, at_tables, at_references, at_triangles = \
            struct.unpack_from("<8I2H5I8x", page, 0)
        assert number == p and size == len(page) and len(points) == first[p]
        fmt, stride = ("<3h", 8) if bits == 16 else ("<3i", 16)
        points += [struct.unpack_from(fmt, page, 64 + stride * v) for v in range(vertices)]
        for c in range(clusters):
            _, child, _, reference, triangle, table, _, _, count = struct.unpack_from("<IiiIIHBBB", page, at_clusters + 48 * c + 20)
            for k in range(3 * count if child == -1 else 0):
                local = page[at_triangles + triangle + k]
                code = get(U16, page, at_references + 2 * (reference + local))
                indices.append(first[get(U32, page, at_tables + 4 * (table + (code >> 12)))] + (code & 0xFFF))
    return points, indices


def box_of(mesh, points):
    if not points:
        return None
    center, step = mesh["grid"]["center"], mesh["grid"]["step"]
    return [[center[i] + step * pick(p[i] for p in points) for i in range(3)] for pick in (min, max)]


def main():
    with open(sys.argv[1], "rb") as file:
        manifest, sections, root = read_package(file.read())
    meshes = []
    for i, mesh in enumerate(manifest["meshes"]):
        points, indices = (read_pages if mesh["cluster_dag"] else read_arrays)(sections, i, mesh)
        assert len(points) == mesh["vertex_count"] and len(indices) == mesh["index_count"]
        assert max(indices, default=-1) < len(points)
        meshes.append({"name": mesh["name"], "triangles": len(indices) // 3, "vertices": len(points),
                       "box": box_of(mesh, points), "shapes": [s["name"] for s in mesh["shapes"]]})
    print(json.dumps({"content_root": root, "meshes": meshes,
                      "bones": [len(s["bones"]) for s in manifest["skeletons"]],
                      "clips": [[c["name"], c["frame_count"], c["duration_s"]] for c in manifest["clips"]]}))


main()
