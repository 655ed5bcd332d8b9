/* Refuses a JPEG before any decoder sees it, so that a refusal does not depend on the decoder. */
#ifndef SATBLUR_APP_JPEG_CHECK_H
#define SATBLUR_APP_JPEG_CHECK_H

#include "base/blob.h"
#include "base/message.h"

/* Bounds on the work that a file asks for. libjpeg-turbo has the same bound on scans; a photo of progressive order
 * has about ten, and some optimizers write twenty. A scan of a few bytes may cover all blocks (of 8 x 8 samples of a
 * component), so the blocks of all scans are bounded, too: by 2^27, or by 32 times the picture's own blocks where that
 * is more. */
enum { JPEG_SCANS_MOST = 500, JPEG_BLOCKS_MOST = 1 << 27, JPEG_PASSES_MOST = 32 };

/* Walks from segment to segment to the end mark. Refused are: a file without an end mark; more work than the bounds;
 * a scan that names a component or a table which is not there; a component without a scan; four components with
 * an unknown transform of colours. Other damage is for the decoders to find. */
bool jpeg_check(bytes in, problem *p);

/* Prepares a file that passed the check for stb. copy, empty before, gets the file with parts that it leaves out, if
 * stb needs them; the caller frees the copy. These parts are the standard Huffman tables (T.81, annex K.3) where a scan
 * names them, as in frames of Motion JPEG, and Adobe's segment for CMYK. p gets a
 * note about four components. Without that segment they are CMYK and 255 is no ink, as with it: other programs read
 * them so. False: memory ran out, or components share a name, which stb mistakes for one component. */
bool jpeg_prepare_for_stb(bytes in, blob *copy, problem *p);

/* Append a segment with those tables, or an Adobe segment that means CMYK. False: not enough memory. */
bool jpeg_add_tables(blob *to);
bool jpeg_add_adobe(blob *to);

#endif
