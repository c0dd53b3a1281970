/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import java.util.List;

/**
 * One answer of the query API.
 *
 * @param content what was asked for
 * @param warnings why it may not be whole; empty where the server has nothing against it
 */
record Answer<T>(T content, List<String> warnings) {}
