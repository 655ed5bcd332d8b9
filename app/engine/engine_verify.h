/* --verify: the results of both devices, compared. */
#ifndef SATBLUR_APP_ENGINE_VERIFY_H
#define SATBLUR_APP_ENGINE_VERIFY_H

#include "engine/engine_request.h"
#include "base/message.h"

/* Compares all results: statistics, each member of the report, pixels, radii. False: p says what differs. */
bool engine_same_results(const engine_request *cpu, const engine_request *gpu, problem *p);

/* Returns the bytes of statistics, pixels and radii that are compared. */
size_t engine_compared_bytes(const engine_request *q);

#endif
