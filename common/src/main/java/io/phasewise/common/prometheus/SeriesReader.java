/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Makes something of one series: its labels are {@code metric}, its samples {@code values}. */
public interface SeriesReader<T> {
    /**
     * @param series as the API gives it
     * @throws IOException when it has another shape
     */
    T read(JsonNode series) throws IOException;
}
