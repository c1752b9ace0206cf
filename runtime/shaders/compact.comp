#version 460
#extension GL_GOOGLE_include_directive : require
#include "select.glsl"

// From bits to the list of what is drawn, by instance and then by cluster: always in the same order, whatever threads found
// first. One workgroup, 1,024 words (32,768 clusters) at a time.
layout(push_constant, scalar) uniform Push { SelectPush push; };
layout(local_size_x = 1024) in;
struct DrawCommand {
    uint vertex_count, instance_count, first_vertex, first_instance;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer DrawCommands { DrawCommand at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer DrawnClusters { VisibleCluster at[]; };
shared uint sums[1024];

void write(Selection s, uint word, uint bits, uint to) {
    uint instance = Words(s.instance_of_word).at[word];
    InstanceCut cut = Cuts(s.cuts).at[instance];
    for (; bits != 0u; bits &= bits - 1u) {
        uint cluster = cut.first_cluster + (word - cut.first_word) * 32u + uint(findLSB(bits));
        uint page = Words(s.page_of_cluster).at[cluster];
        Page record = Pages(s.pages).at[page];
        uint in_page = cluster - record.first_cluster;
        DrawnClusters(s.visible).at[to] = VisibleCluster(instance, page, in_page);
        uint triangles = triangle_count(read_cluster(page_address(s.heap, record), in_page));
        DrawCommands(s.commands).at[to] = DrawCommand(3u * triangles, 1u, 0u, to);
        ++to;
    }
}

void main() {
    Selection s = Selections(push.selection).selection;
    uint thread = gl_LocalInvocationID.x;
    uint before = 0u;
    for (uint first = 0u; first < s.word_count; first += 1024u) {
        uint word = first + thread;
        uint bits = word < s.word_count ? Bits(s.visible_bits).at[word] : 0u;
        sums[thread] = uint(bitCount(bits));
        barrier();
        for (uint step_size = 1u; step_size < 1024u; step_size *= 2u) {
            uint more = thread >= step_size ? sums[thread - step_size] : 0u;
            barrier();
            sums[thread] += more;
            barrier();
        }
        if (bits != 0u) write(s, word, bits, before + sums[thread] - uint(bitCount(bits)));
        before += sums[1023];
        barrier();
    }
    if (thread == 0u) Bits(s.draw_count).at[0] = before;
}
