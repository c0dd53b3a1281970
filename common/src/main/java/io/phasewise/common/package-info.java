/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the canary, the exporter, the lab, the report and ops share. It depends on nothing but the
 * JDK and on none of them.
 */
package io.phasewise.common;
