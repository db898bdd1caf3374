package dev.holdfast.operator.offline.dump.json;

/**
 * A field of a message of the API.
 *
 * @param number the number of the field in protobuf
 * @param form whether the field has one value or several
 * @param outer the number of the field whose message contains this one, if JSON writes the fields of that message in
 *     place: {@code emptyDir} of a volume is in field 2, the source; 0 if the field is not in such a message
 */
record ApiField(int number, Form form, ValueType type, int outer) {
    /** How many values a field has. */
    enum Form {
        ONE,
        LIST,
        /** Values with names, for example labels. */
        MAP
    }

    ApiField within(int outerNumber) {
        return new ApiField(number, form, type, outerNumber);
    }
}
