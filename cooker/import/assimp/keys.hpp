// Small operations on the keys of linear channels.
#pragma once

#include "cooker/scene.hpp"

namespace sinter {

// Turns rotation keys whose dot product with the key before is negative: the same rotations, the short way round.
void keep_hemisphere(Channel& channel);

// Keeps [start_s, end_s] with keys at both ends, made by straight interpolation (rotations normalised). A channel
// that lies outside keeps its nearest value as one key.
void cut_channel(Channel& channel, double start_s, double end_s);

// Start and end of a clip from the keys of its channels; 0 and 0 where there are none.
void set_range(Clip& clip);

}  // namespace sinter
