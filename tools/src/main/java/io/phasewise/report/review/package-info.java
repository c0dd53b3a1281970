/**
 * What a capacity review says about one cluster, as numbers: which series it asks for, and what it
 * makes of them. The statistics are those of {@code stats}; words and pages are left to {@code
 * page}.
 */
package io.phasewise.report.review;
