# cmake --install puts the library, its headers, the program and the scenes where find_package(touchstone) and the program find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS touchstone EXPORT touchstone_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/touchstone DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT touchstone_targets NAMESPACE touchstone:: FILE touchstone-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/touchstone)
configure_package_config_file(cmake/touchstone-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/touchstone-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/touchstone)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/touchstone-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/touchstone-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/touchstone-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/touchstone)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/touchstone)
if(TOUCHSTONE_APPS)
  install(TARGETS touchstone_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
