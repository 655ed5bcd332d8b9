/* The note of a run: two short lines. */
#ifndef SATBLUR_APP_BRIEF_H
#define SATBLUR_APP_BRIEF_H

#include "engine/engine_request.h"

/* Prints what is sharp and how strong the blur is, and what to change if that is wrong. Nothing if notes are collected, as
 * report_map() then says more. */
void brief_tell(const engine_request *q);

#endif
