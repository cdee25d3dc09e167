# Writes ${CMAKE_BINARY_DIR}/three.json, what three.js makes of the glTF files of SINEW_DATA, before
# the data tests of the importer run. Without node, its packages or the data nothing is written, and
# the tests that need it say so and are skipped.
find_program(SINEW_NODE NAMES node nodejs)
if(SINEW_DATA AND SINEW_NODE AND TARGET test_import)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/import_three.cmake)
  file(CONFIGURE OUTPUT ${script} @ONLY CONTENT [[
set(source "@CMAKE_SOURCE_DIR@/tests/reference/three")
set(out "@CMAKE_BINARY_DIR@/three.json")
if(NOT EXISTS "${source}/node_modules/three")
  message(STATUS "SKIPPED: three.js is not installed: run `npm ci` in ${source}")
  return()
endif()
execute_process(COMMAND "@SINEW_NODE@" "${source}/sample.mjs" --root "@SINEW_DATA@" "${out}.tmp" "@SINEW_DATA@"
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "sample.mjs failed: ${result}")
endif()
file(RENAME "${out}.tmp" "${out}")
]])
  add_test(NAME import_three COMMAND ${CMAKE_COMMAND} -P ${script})
  set_tests_properties(import_three PROPERTIES LABELS data FIXTURES_SETUP three)
  if(TEST import_data)
    set_tests_properties(import_data PROPERTIES FIXTURES_REQUIRED three)
  endif()
endif()
