#include "touchstone/scene_file.h"
