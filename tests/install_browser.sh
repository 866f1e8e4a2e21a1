#!/usr/bin/env bash
# The browser tests need Chromium. On Debian and Ubuntu it is installed; elsewhere this says what is missing.
set -eu
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null; then exit 0; fi
done
[ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ] && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
    exit 0
fi
echo "No Chromium found. Install chromium or Google Chrome, or set CHROMIUM to its path." >&2
exit 1
