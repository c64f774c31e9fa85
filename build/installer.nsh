; What the installer does besides copying files. SHELL_CONTEXT is the person's registry, or the machine's where it was
; installed for everybody.

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\tilelift" "" "URL:Tilelift sign-in"
  WriteRegStr SHELL_CONTEXT "Software\Classes\tilelift" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\tilelift\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  ; Behind the marker and the two dashes nothing in a link is a switch (main/desktop/launch/link-launch.ts).
  WriteRegStr SHELL_CONTEXT "Software\Classes\tilelift\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --link -- "%1"'
  ; "Open with" for folders: a line in their menu, in the language of the installation.
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Tilelift" "" "Upload with Tilelift"
  ${if} $LANGUAGE == 1031
    WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Tilelift" "" "Mit Tilelift hochladen"
  ${endIf}
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Tilelift" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Directory\shell\Tilelift\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro customUnInstall
  ; An update removes the version before it: what the person has switched on stays on.
  ${ifNot} ${isUpdated}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\tilelift"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Directory\shell\Tilelift"
    ; The running program claims the scheme for the person, too, and writes its start at login there.
    DeleteRegKey HKCU "Software\Classes\tilelift"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${endIf}
!macroend
