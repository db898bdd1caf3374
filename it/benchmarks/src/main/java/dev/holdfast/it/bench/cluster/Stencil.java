package dev.holdfast.it.bench.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A byte template of one encoded object. Overwriting words in it with words of the same length gives other objects.
 * Since no length changes, this works for any encoding.
 *
 * <p>With the words {@code web-9999} and {@code 9999}, an object that contains {@code web-9999} and, elsewhere, {@code
 * 9999} becomes one with {@code web-1234} and {@code 1234}.
 */
final class Stencil {
    private final byte[] original;
    private final List<String> words;
    private final List<Place> places;

    private record Place(int offset, int word) {}

    private Stencil(byte[] original, List<String> words, List<Place> places) {
        this.original = original;
        this.words = words;
        this.places = places;
    }

    /**
     * {@return the template made from an encoded object}
     *
     * @param words the words that can be replaced; one may contain another, because longer words are searched first
     * @throws IllegalArgumentException with a message of one line, if the object does not contain a word
     */
    static Stencil of(byte[] object, List<String> words) {
        List<Place> places = new ArrayList<>();
        boolean[] taken = new boolean[object.length];
        List<String> longestFirst = words.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        for (String word : longestFirst) {
            int before = places.size();
            byte[] bytes = bytes(word);
            for (int at = 0; at + bytes.length <= object.length; at++) {
                if (!taken[at] && Arrays.equals(object, at, at + bytes.length, bytes, 0, bytes.length)) {
                    places.add(new Place(at, words.indexOf(word)));
                    Arrays.fill(taken, at, at + bytes.length, true);
                }
            }
            if (places.size() == before) {
                throw new IllegalArgumentException(word + " is nowhere in the object");
            }
        }
        return new Stencil(object.clone(), List.copyOf(words), places);
    }

    /** {@return the length of each object in bytes} */
    int size() {
        return original.length;
    }

    /**
     * {@return the encoded object with these words in place of the template's words}
     *
     * @throws IllegalArgumentException with a message of one line, if a word has another length
     */
    byte[] with(List<String> others) {
        for (int i = 0; i < words.size(); i++) {
            if (others.get(i).length() != words.get(i).length()) {
                throw new IllegalArgumentException(
                        others.get(i) + " cannot be written over " + words.get(i) + ": it has another length");
            }
        }
        byte[] object = new byte[original.length];
        write(others, object, 0);
        return object;
    }

    /**
     * Writes the object with these words in place of the template's words, which have the same lengths, into a buffer.
     */
    void write(List<String> others, byte[] into, int at) {
        System.arraycopy(original, 0, into, at, original.length);
        List<byte[]> written = others.stream().map(Stencil::bytes).toList();
        for (Place place : places) {
            byte[] word = written.get(place.word());
            System.arraycopy(word, 0, into, at + place.offset(), word.length);
        }
    }

    private static byte[] bytes(String word) {
        return word.getBytes(StandardCharsets.UTF_8);
    }
}
