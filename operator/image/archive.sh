#!/bin/sh
# Runs Holdfast with the Java runtime that is beside it, from any folder and through symbolic links.
set -euf

case $0 in
  */*) self=$0 ;;
  *) self=./$0 ;;
esac
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
home=$(CDPATH='' cd -P "${self%/*}/.." && pwd -P)

# kubectl calls it so for the words that complete the command line of its plugin.
case ${0##*/} in
  kubectl_complete-*) set -- __complete "$@" ;;
esac

# The options of other Java programs are not for this one.
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS

# shellcheck disable=SC2086 # several options
exec "$home/runtime/bin/java" "@$home/lib/jvm.options" "-XX:AOTCache=$home/lib/holdfast.aot" \
  "-Dholdfast.aotCache=$home/lib/holdfast.aot" \
  ${HOLDFAST_JAVA_OPTIONS:-} -jar "$home/lib/holdfast.jar" "$@"
