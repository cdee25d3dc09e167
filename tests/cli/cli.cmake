# Runs the program itself; see cli_test.cpp.
add_executable(test_cli ${CMAKE_CURRENT_LIST_DIR}/cli_test.cpp)
target_link_libraries(test_cli PRIVATE sinew_scene sinew_testing sinew_warnings)
target_compile_definitions(test_cli PRIVATE SINEW_CLI="$<TARGET_FILE:sinew_cli>")
add_dependencies(test_cli sinew_cli)
add_test(NAME cli COMMAND test_cli --gtest_brief=1 "--gtest_filter=-Data*:Long*")
set_tests_properties(cli PROPERTIES LABELS fast)
add_test(NAME cli_long COMMAND test_cli --gtest_brief=1 "--gtest_filter=Long*")
set_tests_properties(cli_long PROPERTIES LABELS long)
