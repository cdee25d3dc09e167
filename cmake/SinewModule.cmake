# sinew_module(NAME [CORE] [USES module...] [LINK external...] [ALONE regex...])
#
# Makes the library sinew_NAME of src/NAME/*.cpp. Its public headers lie in
# include/sinew/NAME. Each module gets an include root of its own that holds
# nothing but a link to its headers, and a target sees only the roots of the
# modules that it uses: an include against the direction of the dependencies
# does not compile.
#
# CORE: no exceptions, no RTTI. ALONE: as for sinew_batch.

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
  # clang 19 warns of a buffer inside stable_sort of g++ 12's library.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

set(SINEW_MODULES "" CACHE INTERNAL "")

# sinew_batch(TARGET [ALONE regex...])
#
# Lets a target compile its sources in batches of eight (CMake's unity builds)
# where SINEW_UNITY is on. Sources whose path matches a regex stay alone: those
# that replace operator new, and those whose local names clash.
function(sinew_batch target)
  cmake_parse_arguments(B "" "" "ALONE" ${ARGN})
  if(NOT SINEW_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    foreach(regex IN LISTS B_ALONE)
      if(source MATCHES "${regex}")
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
  endforeach()
endfunction()

function(sinew_module name)
  cmake_parse_arguments(M "CORE" "" "USES;LINK;LINK_PRIVATE;ALONE" ${ARGN})
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
    sinew_batch(${target} ALONE ${M_ALONE})
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
