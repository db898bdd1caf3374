package dev.holdfast.operator.decode.protobuf;

/**
 * Field numbers in an entry of a map: a label, an annotation or a resource amount. The protobuf language defines them,
 * not the API.
 */
public final class MapEntry {
    public static final int KEY = 1;
    public static final int VALUE = 2;

    private MapEntry() {}
}
