#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""sink.py PORT FILE: writes what is posted to a file, and ends."""
import http.server
import sys


class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[2] + ".part", "wb") as file:
            file.write(body)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args):
        pass


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Sink).handle_request()
