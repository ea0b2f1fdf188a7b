#include "study/papers/rote2012/rote2012.h"

#include <algorithm>

#include "io/picture/picture.h"

namespace touchstone {

Paper rote2012_paper() {
  return {"rote2012",
          "G. Rote, U. Zwick: Collapse (2012)",
          {{"accelerations", "first accelerations of towers that fall, against formulas", rote2012::accelerations},
           {"stability", "which diamonds and triangles stand", rote2012::stability},
           {"lengths", "what (L') and (L'') do to a bar that turns", rote2012::lengths},
           {"collapse", "1000 steps of 5 × 5 bricks: time, symmetry, energy, figures 2 and 11", rote2012::collapse},
           {"flat", "flat bricks where their energy is least, the right part of figure 2", rote2012::flat}}};
}

namespace rote2012 {

void draw_tower(const Simulation& simulation, const std::string& caption, const std::string& path) {
  constexpr double kGround = 12;  // [m]
  std::vector<BodyDescription> bodies(simulation.slot_count());
  for (const BodyId id : simulation.bodies()) bodies[id.index] = simulation.description(id);
  for (BodyDescription& b : bodies)
    if (b.kind == BodyKind::kStatic)
      for (ShapeDescription& s : b.shapes) s.size.x() = std::min(s.size.x(), kGround);
  Frame frame;
  capture_frame(simulation, RecordDescription{}, frame);
  PictureOptions picture;
  picture.caption = caption;
  draw_picture(simulation.dimension(), bodies, frame.poses, picture, path);
}

}  // namespace rote2012
}  // namespace touchstone
