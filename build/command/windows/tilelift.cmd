@echo off
rem The command of the installed desktop (docs/decisions/015-command-of-the-desktop.md).
"%~dp0..\..\Tilelift.exe" --log-level=3 --cli -- %*
