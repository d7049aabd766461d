package functions

import "mini-lakehouse-lab/lakelab"

// BitmapBitPosition: the place of a number in its bitmap (bitmap_bit_position).
func BitmapBitPosition(col any) lakelab.Column { return call("bitmap_bit_position", col) }

// BitmapBucketNumber: the number of the bitmap that a number falls into (bitmap_bucket_number).
func BitmapBucketNumber(col any) lakelab.Column { return call("bitmap_bucket_number", col) }

// BitmapConstructAgg: a bitmap of the places in a group (bitmap_construct_agg).
func BitmapConstructAgg(col any) lakelab.Column { return call("bitmap_construct_agg", col) }

// BitmapCount: how many bits of a bitmap are set (bitmap_count).
func BitmapCount(col any) lakelab.Column { return call("bitmap_count", col) }

// BitmapOrAgg: the union of a group's bitmaps (bitmap_or_agg).
func BitmapOrAgg(col any) lakelab.Column { return call("bitmap_or_agg", col) }
