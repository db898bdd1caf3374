package dev.holdfast.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

/** Every switch over a sealed type names its variants: a new variant breaks the build where it must be handled. */
class HiddenDefaultsTest {
    sealed interface Shape {
        sealed interface Flat extends Shape {}

        record Square(int side) implements Flat {}

        record Circle(int radius) implements Flat {}

        record Cube(int side) implements Shape {}
    }

    static final class Hidden {
        static int unnamed(Shape shape) {
            return switch (shape) {
                case Shape.Square(int side) -> side;
                case Shape _ -> 0;
            };
        }

        static int named(Shape.Flat flat) {
            return switch (flat) {
                case Shape.Square(int side) -> side;
                case Shape other -> other.hashCode();
            };
        }
    }

    static final class Named {
        static int family(Shape shape) {
            return switch (shape) {
                case Shape.Flat _ -> 0;
                case Shape.Cube(int side) -> side;
            };
        }

        static int open(Object any) {
            return switch (any) {
                case Shape _ -> 1;
                default -> 0;
            };
        }
    }

    @Test
    void noSwitchHasACaseOfAWholeSealedType() {
        assertThat(RoomsTest.PRODUCT.stream()
                        .map(JavaClass::reflect)
                        .flatMap(type -> HiddenDefaults.in(type).stream())
                        .sorted())
                .isEmpty();
    }

    @Test
    void aCaseOfTheWholeTypeOrOfOneAboveItIsFound() {
        assertThat(HiddenDefaults.in(Hidden.class))
                .containsExactly(Hidden.class.getName() + ".unnamed", Hidden.class.getName() + ".named");
    }

    @Test
    void aCaseOfAPartOfTheTypeIsNone() {
        assertThat(HiddenDefaults.in(Named.class)).isEmpty();
    }
}
