# sinew_module(NAME [CORE] [USES module...] [LINK external...])
#
# Makes the library sinew_NAME of src/NAME/*.cpp. Its public headers lie in
# include/sinew/NAME. Each module gets an include root of its own that holds
# nothing but a link to its headers, and a target sees only the roots of the
# modules that it uses: an include against the direction of the dependencies
# does not compile.
#
# CORE: no exceptions, no RTTI.

add_library(sinew_options INTERFACE)
target_compile_features(sinew_options INTERFACE cxx_std_20)
# The same bits everywhere: no contraction into fused multiply-add, no
# reassociation. Public, because headers hold arithmetic too.
target_compile_options(sinew_options INTERFACE -ffp-contract=off -fno-math-errno)
if(SINEW_SANITIZE)
  target_compile_options(sinew_options INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(sinew_options INTERFACE -fsanitize=${SINEW_SANITIZE})
  if(SINEW_SANITIZE MATCHES undefined)
    target_compile_options(sinew_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()

add_library(sinew_warnings INTERFACE)
target_compile_options(sinew_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror
  # g++ 12 takes joining strings for overlapping copies (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # clang reports std::stable_sort of the same library as a use of what that deprecates.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

set(SINEW_MODULES "" CACHE INTERNAL "")

function(sinew_module name)
  cmake_parse_arguments(M "CORE" "" "USES;LINK;LINK_PRIVATE" ${ARGN})
  set(root ${CMAKE_BINARY_DIR}/include-roots/${name})
  file(MAKE_DIRECTORY ${root}/sinew)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/sinew/${name} ${root}/sinew/${name} SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  set(target sinew_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE sinew_warnings)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src/${name})
    if(M_CORE)
      target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(sinew::${name} ALIAS ${target})
  target_include_directories(${target} ${scope} ${root})
  target_link_libraries(${target} ${scope} sinew_options)
  foreach(used IN LISTS M_USES)
    if(NOT TARGET sinew_${used})
      message(FATAL_ERROR "module ${name} uses ${used}, which is not defined above it")
    endif()
    target_link_libraries(${target} ${scope} sinew_${used})
  endforeach()
  target_link_libraries(${target} ${scope} ${M_LINK})
  if(M_LINK_PRIVATE)
    target_link_libraries(${target} PRIVATE ${M_LINK_PRIVATE})
  endif()
  set(SINEW_MODULES ${SINEW_MODULES} ${name} CACHE INTERNAL "")
endfunction()
