# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Pipelines of short programs.
for i in 1 2 3 4 5; do
	busybox seq 400 | busybox sort -n | busybox sed 's/1/one/' | busybox wc -l
	busybox usleep 100
	(sleep 0.001; echo $i) | busybox cat
done
