# SPDX-License-Identifier: GPL-2.0-only
"""Threads that hand things to each other, naps, and children."""
import os
import subprocess
import threading
import time


def worker(ours, theirs, deep):
    if deep:
        worker(ours, theirs, deep - 1)
        return
    for i in range(2000):
        with ours:
            theirs.release()
        if i % 100 == 0:
            time.sleep(0.0001)


def pair(deep):
    gates = threading.Semaphore(1), threading.Semaphore(1)
    return [threading.Thread(target=worker, args=(gates[i], gates[1 - i], deep + i))
            for i in (0, 1)]


threads = pair(1) + pair(4)
for thread in threads:
    thread.start()
for i in range(5):
    subprocess.run(["/bin/busybox", "true"], check=False)
    if not os.fork():
        time.sleep(0.001)
        os._exit(0)
    os.wait()
for thread in threads:
    thread.join()
