// A small COLLADA text: a skinned strip of two quads under two bones, one of them without weights.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace sinter::test {

struct DaeText {
    std::string up = "Y_UP";
    std::string meter = "1";
    std::string bind_shape = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
    std::string vcount = "1 1 2 2 1 1";
    std::string v = "0 0 0 0 0 1 1 2 0 1 1 2 1 0 1 0";
    std::string joints = "hip knee spare";
    std::string clips;
    std::string extra_geometries;
    std::string extra_nodes;

    [[nodiscard]] std::string text() const {
        const auto source = [](std::string_view id, std::string_view values, int count, int stride) {
            return fmt::format(
                "<source id=\"{0}\"><float_array id=\"{0}-a\" count=\"{1}\"> {2} </float_array>"
                "<technique_common><accessor source=\"#{0}-a\" count=\"{3}\" stride=\"{4}\">{5}"
                "</accessor></technique_common></source>\n",
                id, count * stride, values, count, stride,
                stride == 16  ? "<param name=\"TRANSFORM\" type=\"float4x4\"/>"
                : stride == 3 ? "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
                                "<param name=\"Z\" type=\"float\"/>"
                              : "<param name=\"W\" type=\"float\"/>");
        };
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<COLLADA "
               "xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
               "version=\"1.4.1\">\n<asset><contributor>"
               "<authoring_tool>Sinter's tests</authoring_tool></contributor>"
               "<unit name=\"u\" meter=\"" +
               meter + "\"/><up_axis>" + up +
               "</up_axis></asset>\n<library_geometries><geometry id=\"strip-id\" name=\"Strip\"><mesh>\n" +
               source("pos", "0 0 0 1 0 0 1 1 0 0 1 0 1 2 0 0 2 0", 6, 3) +
               "<vertices id=\"verts\"><input semantic=\"POSITION\" source=\"#pos\"/></vertices>\n"
               "<polylist count=\"2\" material=\"none\"><input semantic=\"VERTEX\" source=\"#verts\" "
               "offset=\"0\"/>"
               "<vcount>4 4</vcount><p>0 1 2 3 3 2 4 5</p></polylist></mesh></geometry>" +
               extra_geometries +
               "</library_geometries>\n<library_controllers><controller id=\"skin-id\" "
               "name=\"StripSkin\"><skin "
               "source=\"#strip-id\"><bind_shape_matrix> " +
               bind_shape +
               " </bind_shape_matrix>\n<source id=\"joints\"><Name_array id=\"joints-a\" count=\"3\"> " +
               joints +
               " </Name_array><technique_common><accessor source=\"#joints-a\" count=\"3\" "
               "stride=\"1\"><param "
               "name=\"JOINT\" type=\"name\"/></accessor></technique_common></source>\n" +
               source("binds",
                      "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1  "
                      "1 0 0 0 0 1 0 -2 0 0 1 0 0 0 0 1",
                      3, 16) +
               source("weights", "1 0.25 0.75", 3, 1) +
               "<joints><input semantic=\"JOINT\" source=\"#joints\"/><input semantic=\"INV_BIND_MATRIX\" "
               "source=\"#binds\"/></joints>\n<vertex_weights count=\"6\"><input semantic=\"JOINT\" "
               "source=\"#joints\" offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#weights\" "
               "offset=\"1\"/>"
               "<vcount>" +
               vcount + "</vcount><v>" + v +
               "</v></vertex_weights></skin></controller></library_controllers>\n"
               "<library_animations><animation id=\"bend\">" +
               source("times", "0.5 1 2.5", 3, 1) + source("angles", "0 90 90", 3, 1) +
               "<source id=\"modes\"><Name_array id=\"modes-a\" count=\"3\">LINEAR LINEAR LINEAR</Name_array>"
               "<technique_common><accessor source=\"#modes-a\" count=\"3\" stride=\"1\"><param "
               "name=\"INTERPOLATION\" type=\"name\"/></accessor></technique_common></source>"
               "<sampler id=\"bend-s\"><input semantic=\"INPUT\" source=\"#times\"/><input "
               "semantic=\"OUTPUT\" "
               "source=\"#angles\"/><input semantic=\"INTERPOLATION\" source=\"#modes\"/></sampler>"
               "<channel source=\"#bend-s\" "
               "target=\"knee-id/turn.ANGLE\"/></animation></library_animations>\n" +
               clips +
               "<library_visual_scenes><visual_scene id=\"scene\">\n"
               "<node id=\"decoy\" name=\"Decoy\" type=\"NODE\"><node id=\"decoy-hip\" sid=\"hip\" "
               "name=\"DecoyHip\" "
               "type=\"JOINT\"/></node>\n"
               "<node id=\"hip-id\" sid=\"hip\" name=\"Hip bone\" type=\"JOINT\">"
               "<node id=\"knee-id\" sid=\"knee\" name=\"Knee\" type=\"JOINT\"><translate sid=\"move\">0 1 0"
               "</translate><rotate sid=\"turn\">0 0 1 0</rotate>"
               "<node id=\"spare-id\" sid=\"spare\" name=\"Knee\" type=\"JOINT\"><translate>0 1 "
               "0</translate></node>"
               "</node></node>\n<node id=\"body\" name=\"Body\" type=\"NODE\"><instance_controller "
               "url=\"#skin-id\">"
               "<skeleton>#hip-id</skeleton></instance_controller></node>\n" +
               extra_nodes +
               "</visual_scene></library_visual_scenes>\n<scene><instance_visual_scene "
               "url=\"#scene\"/></scene>\n</COLLADA>\n";
    }
};

}  // namespace sinter::test
