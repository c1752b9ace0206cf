// Two pictures of one camera compared by what they show, not by colour: silhouettes, and cracks in closed meshes.
//
// Alpha says what a pixel shows (passes/draw.hpp): 255 a front face, 128 a back face, 0 nothing. A picture's silhouette is
// the set of its pixels that show a face, of either side. Distances are from middle to middle of pixels, as the crow flies.
#pragma once

#include "runtime/picture/picture.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// From the upper left.
struct PixelPlace {
    std::uint32_t x = 0, y = 0;
    friend bool operator==(const PixelPlace&, const PixelPlace&) = default;
};

struct SilhouetteDifference {
    std::uint64_t pixels = 0;  // in one silhouette only
    std::uint64_t beyond = 0;  // of them, farther than the band from the other silhouette
    std::uint64_t either = 0;  // in at least one
    // The largest distance of a pixel that is in one silhouette only from the other silhouette (the Hausdorff distance of
    // the two); the picture's diagonal when the other is empty. `farthest` is the first such pixel.
    double distance = 0;
    PixelPlace farthest;
};

// The same whichever picture is first. Pre: both of one size; band >= 0, in pixels.
[[nodiscard]] SilhouetteDifference compare_silhouettes(const Picture& a, const Picture& b, double band);

// Row by row.
struct Cracks {
    std::vector<PixelPlace> background;  // looked through
    std::vector<PixelPlace> back_faces;  // looked into: the inside of the far wall
    [[nodiscard]] std::size_t count() const { return background.size() + back_faces.size(); }
};

// How far away from the eye what a pixel shows is, one value a pixel; infinite for the background.
struct Distances {
    std::span<const float> full, cut;  // empty: not known
    double pixel_size = 0;             // of a pixel one metre away, in metres
};
// Differences of distance count from so many pixels' size on: surfaces nearer together are one.
inline constexpr double kDistancePixels = 8;

// Where `cut`, a coarser picture of closed meshes seen from outside, shows no front face although `full` does, well inside
// of the silhouette: all pixels of `full` no farther than `band` away are in its silhouette. Around holes of the meshes
// and the gaps between them the band counts too. What is outside of the picture counts as in the silhouette: cracks at
// the edge of a picture are found.
//
// With distances the band counts also where a near part of the scene ends before a far one, as simplification may move that
// edge and uncover what the narrow strip behind it hid. And a back face that is no farther than the surface of `full` is no
// crack: at contours a front and a back face meet at one depth, and the back face wins in some pixels.
// Pre: both of one size, and distances too; both drawn with back faces; band >= 0: a silhouette that may move by e pixels
// takes a band of e + 1, since what is covered is known at the middles of pixels only.
[[nodiscard]] Cracks find_cracks(const Picture& full, const Picture& cut, double band,
                                 const Distances& distances = {});

}  // namespace sinter
