# The viewer's page, one file that is built into the library: ${viewer_page}. It is empty, and the words that need it say so, without
# Node.js and npm, or if npm cannot get its packages. web/ itself stays as it is: everything happens in a copy in the build folder.
set(viewer_page ${CMAKE_BINARY_DIR}/web/viewer.html)
set(web_source ${PROJECT_SOURCE_DIR}/web)
set(web_missing "")
file(GLOB web_lock CONFIGURE_DEPENDS ${web_source}/package-lock.json)  # configures again when it comes or goes
if(NOT TOUCHSTONE_WEB)
  set(web_missing "TOUCHSTONE_WEB is off")
else()
  find_program(NODE_PROGRAM NAMES node nodejs)
  find_program(NPM_PROGRAM npm)
  if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    set(web_missing "Node.js or npm was not found; install the packages nodejs and npm, then configure again")
  else()
    execute_process(COMMAND ${NODE_PROGRAM} --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REGEX REPLACE "^v" "" node_version "${node_version}")
    if(node_version VERSION_LESS 18)
      set(web_missing "Node.js is ${node_version}; the page needs 18 or newer")
    elseif(NOT web_lock)
      set(web_missing "web/package-lock.json is not there")
    endif()
  endif()
endif()

if(web_missing)
  message(STATUS "The viewer's page is left out: ${web_missing}. `view`, `compare` and `export --html` will say so.")
  if(NOT EXISTS ${viewer_page} OR TOUCHSTONE_WEB_MADE)
    file(WRITE ${viewer_page} "")
  endif()
  set(TOUCHSTONE_WEB_MADE OFF CACHE INTERNAL "")
else()
  # Without it a first try that failed, for want of a network, would never be repeated.
  if(EXISTS ${viewer_page})
    file(SIZE ${viewer_page} viewer_page_size)
    if(viewer_page_size EQUAL 0)
      file(REMOVE ${viewer_page})
    endif()
  endif()
  file(GLOB_RECURSE web_files CONFIGURE_DEPENDS ${web_source}/src/* ${web_source}/test/* ${web_source}/e2e/*)
  file(GLOB web_top CONFIGURE_DEPENDS ${web_source}/*.json ${web_source}/*.mjs ${web_source}/*.ts ${web_source}/.npmrc)
  set(web_copy ${CMAKE_BINARY_DIR}/web/copy)
  add_custom_command(OUTPUT ${viewer_page}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${web_source} -DCOPY=${web_copy} -DPAGE=${viewer_page} -DNPM=${NPM_PROGRAM}
      -P ${PROJECT_SOURCE_DIR}/cmake/build_web.cmake
    DEPENDS ${web_files} ${web_top} ${PROJECT_SOURCE_DIR}/cmake/build_web.cmake
    COMMENT "Building the viewer's page" VERBATIM)
  set(TOUCHSTONE_WEB_MADE ON CACHE INTERNAL "")
endif()
