#!/bin/sh
# A double click on macOS starts the game for a class; see the README.
cd "$(dirname "$0")" || exit 1
for python in python3 /Library/Frameworks/Python.framework/Versions/Current/bin/python3 \
    /opt/homebrew/bin/python3; do
    if "$python" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then
        exec "$python" script/server --lan --open "$@"
    fi
done
echo "Python 3.11 or newer is missing: install it from https://www.python.org/downloads/ and start this again."
printf "Press Enter to close this window."
read -r _
exit 1
