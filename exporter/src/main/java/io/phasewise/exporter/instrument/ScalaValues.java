/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.util.stream.IntStream;
import scala.Option;
import scala.collection.IterableOnce;
import scala.collection.Iterator;

/** Reads values of Scala's; apart, as a broker without them need not have Scala's classes. */
public final class ScalaValues {

    private ScalaValues() {}

    /** The numbers in a collection of Scala's. */
    public static IntStream ids(Object set) {
        IntStream.Builder ids = IntStream.builder();
        Iterator<?> iterator = ((IterableOnce<?>) set).iterator();
        while (iterator.hasNext()) {
            ids.add((Integer) iterator.next());
        }
        return ids.build();
    }

    /** What is in an option of Scala's; null where nothing is. */
    public static Object orNull(Object option) {
        Option<?> value = (Option<?>) option;
        return value.isDefined() ? value.get() : null;
    }
}
