@echo off
rem A double click on Windows starts the game for a class; see the README.
cd /d "%~dp0"
if not exist script\server (
  echo This is still inside the ZIP file: close this window, right-click the ZIP file, choose "Extract all", and start it from there.
  pause
  exit /b 1
)
set python=
for %%p in ("python" "py -3") do (
  %%~p -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && set "python=%%~p"
)
if not defined python (
  echo Python 3.11 or newer is missing: install it from https://www.python.org/downloads/ and start this again.
  pause
  exit /b 1
)
%python% script\server --lan --open %*
if errorlevel 1 pause
