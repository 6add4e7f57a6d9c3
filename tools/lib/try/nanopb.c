// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles if nanopb is there, for formats of the command line in protobuf. */
#include <pb_encode.h>

int main(void)
{
	return !pb_encode_tag || !pb_encode_varint;
}
